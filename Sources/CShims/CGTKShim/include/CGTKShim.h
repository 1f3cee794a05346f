#ifndef CGTKSHIM_H
#define CGTKSHIM_H

#include <gtk/gtk.h>

/* What libdispatch offers to foreign main loops: a descriptor that can be read when its main queue has work, and the call
   that does the work. Exported by libdispatch, in none of its headers. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

/* A paintable that is drawn by a function. */
typedef void (*webimage_draw)(void *context, GtkSnapshot *snapshot, double width, double height);

/* `context` is given to `draw`, and to `release` when the last reference goes. */
GdkPaintable *webimage_paintable_new(webimage_draw draw, void *context, GDestroyNotify release);

/* The size that it would like to have, in the units of the toolkit; zero where it has no wish. Tells those who show it
   when it is another one than before. */
void webimage_paintable_set_size(GdkPaintable *paintable, double width, double height);

/* What is macros, or functions with a variable number of arguments, in GTK's headers. */
gboolean webimage_is_a(void *object, GType type);
const char *webimage_type_name(void *object);
GtkWidget *webimage_button_child(GtkWidget *button);
void webimage_button_set_child(GtkWidget *button, GtkWidget *child);

/* Whether it has a property `paintable` that can be set to one. */
gboolean webimage_accepts_paintable(void *object);
void webimage_set_paintable(void *object, GdkPaintable *paintable);

/* The setting `gtk-enable-animations` of the widget's display. */
gboolean webimage_may_animate(GtkWidget *widget);

/* Calls `handler` whenever the object emits the signal, with the signal's first argument if that is an object or, as a
   pointer, a guint. `release` gets the context when the handler goes. */
typedef void (*webimage_handler)(void *context, void *argument);
void webimage_connect(void *object, const char *signal, webimage_handler handler, void *context,
                      GClosureNotify release);

/* Whether the calling thread is the one that the process began with. */
gboolean webimage_is_first_thread(void);

#endif
