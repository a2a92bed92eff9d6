// The PulseAudio client library, including its threaded main loop.
#ifndef GLISSADE_CPULSE_H
#define GLISSADE_CPULSE_H
#include <pulse/pulseaudio.h>
#endif
