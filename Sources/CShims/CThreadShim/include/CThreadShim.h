#ifndef CTHREADSHIM_H
#define CTHREADSHIM_H

/// Names the calling thread for debuggers and `top`. The call is a GNU extension that Swift's Glibc module leaves out.
/// Names longer than 15 bytes are cut.
void webimage_name_this_thread(const char *name);

#endif
