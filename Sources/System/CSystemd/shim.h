// sd-bus, and the two MPRIS vtables of a media player, which need sd-bus macros that Swift cannot import.
#ifndef GLISSADE_CSYSTEMD_H
#define GLISSADE_CSYSTEMD_H

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

/// The handlers for all methods and properties of an interface.
typedef struct {
    sd_bus_message_handler_t call;
    sd_bus_property_get_t get;
    sd_bus_property_set_t set;
} GlissadeBusHandlers;

#define GLISSADE_METHOD(name, arguments, names) \
    SD_BUS_METHOD_WITH_NAMES(name, arguments, names, "", "", handlers.call, SD_BUS_VTABLE_UNPRIVILEGED)
#define GLISSADE_CONSTANT(name, type) SD_BUS_PROPERTY(name, type, handlers.get, 0, SD_BUS_VTABLE_PROPERTY_CONST)
#define GLISSADE_TOLD(name, type) SD_BUS_PROPERTY(name, type, handlers.get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
#define GLISSADE_WRITABLE(name, type) \
    SD_BUS_WRITABLE_PROPERTY(name, type, handlers.get, handlers.set, 0, \
        SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE | SD_BUS_VTABLE_UNPRIVILEGED)

static inline sd_bus_vtable *glissade_copied_table(const sd_bus_vtable *table, size_t size) {
    sd_bus_vtable *copy = malloc(size);
    if (copy) memcpy(copy, table, size);
    return copy;
}

/// Returns a new vtable for org.mpris.MediaPlayer2 (MPRIS 2.2); null if memory runs out. Free it once no bus uses it.
static inline sd_bus_vtable *glissade_mpris_root(GlissadeBusHandlers handlers) {
    const sd_bus_vtable table[] = {
        SD_BUS_VTABLE_START(0),
        GLISSADE_METHOD("Raise", "", ""),
        GLISSADE_METHOD("Quit", "", ""),
        GLISSADE_CONSTANT("CanQuit", "b"),
        GLISSADE_CONSTANT("CanRaise", "b"),
        GLISSADE_CONSTANT("HasTrackList", "b"),
        GLISSADE_CONSTANT("Identity", "s"),
        GLISSADE_CONSTANT("DesktopEntry", "s"),
        GLISSADE_CONSTANT("SupportedUriSchemes", "as"),
        GLISSADE_CONSTANT("SupportedMimeTypes", "as"),
        SD_BUS_VTABLE_END,
    };
    return glissade_copied_table(table, sizeof table);
}

/// Returns a new vtable for org.mpris.MediaPlayer2.Player, without optional members; null if memory runs out. Free it
/// once no bus uses it.
static inline sd_bus_vtable *glissade_mpris_player(GlissadeBusHandlers handlers) {
    const sd_bus_vtable table[] = {
        SD_BUS_VTABLE_START(0),
        GLISSADE_METHOD("Next", "", ""),
        GLISSADE_METHOD("Previous", "", ""),
        GLISSADE_METHOD("Pause", "", ""),
        GLISSADE_METHOD("PlayPause", "", ""),
        GLISSADE_METHOD("Stop", "", ""),
        GLISSADE_METHOD("Play", "", ""),
        GLISSADE_METHOD("Seek", "x", SD_BUS_PARAM(Offset)),
        GLISSADE_METHOD("SetPosition", "ox", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Position)),
        GLISSADE_METHOD("OpenUri", "s", SD_BUS_PARAM(Uri)),
        SD_BUS_SIGNAL_WITH_NAMES("Seeked", "x", SD_BUS_PARAM(Position), 0),
        GLISSADE_TOLD("PlaybackStatus", "s"),
        GLISSADE_WRITABLE("Rate", "d"),
        GLISSADE_TOLD("Metadata", "a{sv}"),
        GLISSADE_WRITABLE("Volume", "d"),
        SD_BUS_PROPERTY("Position", "x", handlers.get, 0, 0),
        GLISSADE_TOLD("MinimumRate", "d"),
        GLISSADE_TOLD("MaximumRate", "d"),
        GLISSADE_TOLD("CanGoNext", "b"),
        GLISSADE_TOLD("CanGoPrevious", "b"),
        GLISSADE_TOLD("CanPlay", "b"),
        GLISSADE_TOLD("CanPause", "b"),
        GLISSADE_TOLD("CanSeek", "b"),
        GLISSADE_CONSTANT("CanControl", "b"),
        SD_BUS_VTABLE_END,
    };
    return glissade_copied_table(table, sizeof table);
}

#endif
