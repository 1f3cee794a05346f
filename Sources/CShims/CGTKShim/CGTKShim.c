#include "CGTKShim.h"
#include <math.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <pthread.h>
#endif

typedef struct {
    GObject parent;
    webimage_draw draw;
    void *context;
    GDestroyNotify release;
    double width;
    double height;
} WebImagePaintable;

typedef struct {
    GObjectClass parent;
} WebImagePaintableClass;

static void webimage_paintable_interface_init(GdkPaintableInterface *interface);

G_DEFINE_TYPE_WITH_CODE(WebImagePaintable, webimage_paintable, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, webimage_paintable_interface_init))

static void webimage_paintable_snapshot(GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height) {
    WebImagePaintable *self = (WebImagePaintable *)paintable;
    if (self->draw) self->draw(self->context, GTK_SNAPSHOT(snapshot), width, height);
}

/* A picture of this moment, which stays as it is. */
static GdkPaintable *webimage_paintable_current_image(GdkPaintable *paintable) {
    WebImagePaintable *self = (WebImagePaintable *)paintable;
    double width = self->width > 0 ? self->width : 1;
    double height = self->height > 0 ? self->height : 1;
    GtkSnapshot *snapshot = gtk_snapshot_new();
    webimage_paintable_snapshot(paintable, GDK_SNAPSHOT(snapshot), width, height);
    graphene_size_t size = {(float)width, (float)height};
    GdkPaintable *image = gtk_snapshot_free_to_paintable(snapshot, &size);
    return image ? image : gdk_paintable_new_empty((int)ceil(width), (int)ceil(height));
}

static int webimage_paintable_width(GdkPaintable *paintable) {
    return (int)ceil(((WebImagePaintable *)paintable)->width);
}

static int webimage_paintable_height(GdkPaintable *paintable) {
    return (int)ceil(((WebImagePaintable *)paintable)->height);
}

static double webimage_paintable_ratio(GdkPaintable *paintable) {
    WebImagePaintable *self = (WebImagePaintable *)paintable;
    return self->width > 0 && self->height > 0 ? self->width / self->height : 0;
}

static void webimage_paintable_interface_init(GdkPaintableInterface *interface) {
    interface->snapshot = webimage_paintable_snapshot;
    interface->get_current_image = webimage_paintable_current_image;
    interface->get_intrinsic_width = webimage_paintable_width;
    interface->get_intrinsic_height = webimage_paintable_height;
    interface->get_intrinsic_aspect_ratio = webimage_paintable_ratio;
}

static void webimage_paintable_finalize(GObject *object) {
    WebImagePaintable *self = (WebImagePaintable *)object;
    if (self->release) self->release(self->context);
    G_OBJECT_CLASS(webimage_paintable_parent_class)->finalize(object);
}

static void webimage_paintable_class_init(WebImagePaintableClass *class) {
    G_OBJECT_CLASS(class)->finalize = webimage_paintable_finalize;
}

static void webimage_paintable_init(WebImagePaintable *self) { (void)self; }

GdkPaintable *webimage_paintable_new(webimage_draw draw, void *context, GDestroyNotify release) {
    WebImagePaintable *self = g_object_new(webimage_paintable_get_type(), NULL);
    self->draw = draw;
    self->context = context;
    self->release = release;
    return GDK_PAINTABLE(self);
}

void webimage_paintable_set_size(GdkPaintable *paintable, double width, double height) {
    WebImagePaintable *self = (WebImagePaintable *)paintable;
    if (self->width == width && self->height == height) return;
    self->width = width;
    self->height = height;
    gdk_paintable_invalidate_size(paintable);
}

gboolean webimage_is_a(void *object, GType type) { return g_type_is_a(G_OBJECT_TYPE(object), type); }

const char *webimage_type_name(void *object) { return G_OBJECT_TYPE_NAME(object); }

GtkWidget *webimage_button_child(GtkWidget *button) { return gtk_button_get_child(GTK_BUTTON(button)); }

void webimage_button_set_child(GtkWidget *button, GtkWidget *child) { gtk_button_set_child(GTK_BUTTON(button), child); }

gboolean webimage_accepts_paintable(void *object) {
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(object), "paintable");
    return property && (property->flags & G_PARAM_WRITABLE) && g_type_is_a(GDK_TYPE_PAINTABLE, property->value_type);
}

void webimage_set_paintable(void *object, GdkPaintable *paintable) {
    GdkPaintable *shown = NULL;
    g_object_get(object, "paintable", &shown, NULL);
    if (shown != paintable) g_object_set(object, "paintable", paintable, NULL);
    if (shown) g_object_unref(shown);
}

gboolean webimage_may_animate(GtkWidget *widget) {
    gboolean may = TRUE;
    g_object_get(gtk_widget_get_settings(widget), "gtk-enable-animations", &may, NULL);
    return may;
}

static void webimage_marshal(GClosure *closure, GValue *result, guint count, const GValue *values, gpointer hint,
                             gpointer data) {
    (void)result, (void)hint, (void)data;
    webimage_handler handler = (webimage_handler)((GCClosure *)closure)->callback;
    gpointer argument = NULL;
    if (count > 1 && G_VALUE_HOLDS_OBJECT(&values[1])) argument = g_value_get_object(&values[1]);
    if (count > 1 && G_VALUE_HOLDS_UINT(&values[1])) argument = GUINT_TO_POINTER(g_value_get_uint(&values[1]));
    handler(closure->data, argument);
}

void webimage_connect(void *object, const char *signal, webimage_handler handler, void *context,
                      GClosureNotify release) {
    GClosure *closure = g_cclosure_new(G_CALLBACK(handler), context, release);
    g_closure_set_marshal(closure, webimage_marshal);
    g_signal_connect_closure(object, signal, closure, FALSE);
}

gboolean webimage_is_first_thread(void) {
#ifdef __linux__
    return syscall(SYS_gettid) == getpid();
#else
    return pthread_main_np() != 0;
#endif
}
