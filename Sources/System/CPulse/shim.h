// The PulseAudio client library, threaded main loop included.
#ifndef GLISSADE_CPULSE_H
#define GLISSADE_CPULSE_H
#include <pulse/pulseaudio.h>
#endif
