#ifndef GLISSADE_CGLFLUSH_H
#define GLISSADE_CGLFLUSH_H

/// How often this program has called `glFlush`.
int glissade_flush_count(void);

#endif
