// XCB with the extensions MIT-SHM, Present and XFIXES, and wrappers for what Swift cannot import: variable-length
// lists, packed events, and extension IDs, whose types are incomplete.
#ifndef GLISSADE_CXCB_H
#define GLISSADE_CXCB_H
#include <stdlib.h>
#include <string.h>
#include <xcb/present.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/xfixes.h>

/// The server's extensions. A missing one has version 0; using it would close the connection.
typedef struct GlissadeXExtensions {
    int shm_major, shm_minor, has_shared_pixmaps;
    int shm_first_event;
    int present_major, present_minor;
    int xfixes_major;
} GlissadeXExtensions;

/// Queries the versions of all three extensions. Asks for MIT-SHM 1.2, which can pass file descriptors, and XFIXES 2,
/// which has regions.
static inline GlissadeXExtensions glissade_xcb_extensions(xcb_connection_t *c) {
    GlissadeXExtensions found = {0};
    xcb_prefetch_extension_data(c, &xcb_shm_id);
    xcb_prefetch_extension_data(c, &xcb_present_id);
    xcb_prefetch_extension_data(c, &xcb_xfixes_id);
    const xcb_query_extension_reply_t *shm = xcb_get_extension_data(c, &xcb_shm_id);
    const xcb_query_extension_reply_t *present = xcb_get_extension_data(c, &xcb_present_id);
    const xcb_query_extension_reply_t *xfixes = xcb_get_extension_data(c, &xcb_xfixes_id);
    int has_shm = shm && shm->present, has_present = present && present->present, has_xfixes = xfixes && xfixes->present;
    xcb_shm_query_version_cookie_t shm_cookie = {0};
    xcb_present_query_version_cookie_t present_cookie = {0};
    xcb_xfixes_query_version_cookie_t xfixes_cookie = {0};
    if (has_shm) shm_cookie = xcb_shm_query_version(c);
    if (has_present) present_cookie = xcb_present_query_version(c, 1, 0);
    if (has_xfixes) xfixes_cookie = xcb_xfixes_query_version(c, 2, 0);
    if (has_shm) {
        xcb_shm_query_version_reply_t *reply = xcb_shm_query_version_reply(c, shm_cookie, 0);
        if (reply) {
            found.shm_major = reply->major_version;
            found.shm_minor = reply->minor_version;
            found.has_shared_pixmaps = reply->shared_pixmaps && reply->pixmap_format == XCB_IMAGE_FORMAT_Z_PIXMAP;
            found.shm_first_event = shm->first_event;
        }
        free(reply);
    }
    if (has_present) {
        xcb_present_query_version_reply_t *reply = xcb_present_query_version_reply(c, present_cookie, 0);
        if (reply) {
            found.present_major = (int)reply->major_version;
            found.present_minor = (int)reply->minor_version;
        }
        free(reply);
    }
    if (has_xfixes) {
        xcb_xfixes_query_version_reply_t *reply = xcb_xfixes_query_version_reply(c, xfixes_cookie, 0);
        if (reply) found.xfixes_major = (int)reply->major_version;
        free(reply);
    }
    return found;
}

/// The pixel layout of a visual's images. `bits_per_pixel` is 0 if the server does not have the visual.
typedef struct GlissadeXVisual {
    int visual_class, depth, bits_per_pixel, scanline_pad, is_big_endian;
    uint32_t red, green, blue;
} GlissadeXVisual;

static inline GlissadeXVisual glissade_xcb_visual(xcb_connection_t *c, xcb_visualid_t id, int depth) {
    GlissadeXVisual found = {0};
    const xcb_setup_t *setup = xcb_get_setup(c);
    if (!setup) return found;
    for (xcb_screen_iterator_t s = xcb_setup_roots_iterator(setup); s.rem; xcb_screen_next(&s)) {
        for (xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(s.data); d.rem; xcb_depth_next(&d)) {
            if (d.data->depth != depth) continue;
            for (xcb_visualtype_iterator_t v = xcb_depth_visuals_iterator(d.data); v.rem; xcb_visualtype_next(&v)) {
                if (v.data->visual_id != id) continue;
                found.visual_class = v.data->_class;
                found.red = v.data->red_mask;
                found.green = v.data->green_mask;
                found.blue = v.data->blue_mask;
                for (xcb_format_iterator_t f = xcb_setup_pixmap_formats_iterator(setup); f.rem; xcb_format_next(&f)) {
                    if (f.data->depth != depth) continue;
                    found.bits_per_pixel = f.data->bits_per_pixel;
                    found.scanline_pad = f.data->scanline_pad;
                }
                found.depth = depth;
                found.is_big_endian = setup->image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST;
                return found;
            }
        }
    }
    return found;
}

/// Returns the screen with the given number; null if there is none.
static inline xcb_screen_t *glissade_xcb_screen(xcb_connection_t *c, int number) {
    const xcb_setup_t *setup = xcb_get_setup(c);
    if (!setup) return 0;
    xcb_screen_iterator_t s = xcb_setup_roots_iterator(setup);
    while (s.rem && number-- > 0) xcb_screen_next(&s);
    return s.rem ? s.data : 0;
}

/// Creates a separate queue for a window's Present events.
static inline xcb_special_event_t *glissade_xcb_present_events(xcb_connection_t *c, uint32_t event_id) {
    return xcb_register_for_special_xge(c, &xcb_present_id, event_id, 0);
}

/// The fields of a Present event, unpacked. XCB's `xcb_present_complete_notify_event_t` is a packed struct.
typedef struct GlissadePresentEvent {
    int type;  // XCB_PRESENT_EVENT_…
    int kind, mode;  // For complete events.
    uint32_t serial, pixmap;
    uint64_t ust, msc;
    int is_window_gone;  // For configure events: the PresentWindowDestroyed flag of servers since 21.1.
} GlissadePresentEvent;

static inline GlissadePresentEvent glissade_xcb_present_event(const xcb_generic_event_t *event) {
    GlissadePresentEvent found = {0};
    found.type = ((const xcb_present_generic_event_t *)event)->evtype;
    if (found.type == XCB_PRESENT_EVENT_COMPLETE_NOTIFY) {
        const xcb_present_complete_notify_event_t *complete = (const xcb_present_complete_notify_event_t *)event;
        found.kind = complete->kind;
        found.mode = complete->mode;
        found.serial = complete->serial;
        found.ust = complete->ust;
        found.msc = complete->msc;
    } else if (found.type == XCB_PRESENT_EVENT_IDLE_NOTIFY) {
        const xcb_present_idle_notify_event_t *idle = (const xcb_present_idle_notify_event_t *)event;
        found.serial = idle->serial;
        found.pixmap = idle->pixmap;
    } else if (found.type == XCB_PRESENT_EVENT_CONFIGURE_NOTIFY) {
        found.is_window_gone = ((const xcb_present_configure_notify_event_t *)event)->pixmap_flags & 1;
    }
    return found;
}
#endif
