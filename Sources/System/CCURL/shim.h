// libcurl's headers, with its functions loaded at run time. This way, playing a local file does not pay for loading
// libcurl and the libraries that it needs.
#ifndef GLISSADE_CCURL_H
#define GLISSADE_CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/// The libcurl functions in use. Sendable, because the pointers never change.
typedef struct __attribute__((swift_attr("@Sendable"))) GlissadeCurl {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_pause) *easy_pause;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_info_read) *multi_info_read;
    __typeof__(curl_share_init) *share_init;
    __typeof__(curl_share_setopt) *share_setopt;
    __typeof__(curl_share_cleanup) *share_cleanup;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_url) *url_init;
    __typeof__(curl_url_cleanup) *url_cleanup;
    __typeof__(curl_url_set) *url_set;
    __typeof__(curl_url_get) *url_get;
    __typeof__(curl_free) *free;
} GlissadeCurl;

/// Looks up the functions and initializes libcurl. Returns 0 if the library or a function is missing, or on failure.
/// The library is never unloaded.
static inline int glissade_load_curl(GlissadeCurl *curl) {
    // The soname version has been 4 since 2006. Debian's build with GnuTLS instead of OpenSSL has another name.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const char *names[] = {
        "curl_global_init", "curl_easy_init", "curl_easy_cleanup", "curl_easy_setopt", "curl_easy_getinfo",
        "curl_easy_pause", "curl_multi_init", "curl_multi_cleanup", "curl_multi_add_handle", "curl_multi_remove_handle",
        "curl_multi_perform", "curl_multi_poll", "curl_multi_info_read", "curl_share_init", "curl_share_setopt",
        "curl_share_cleanup", "curl_slist_append", "curl_slist_free_all", "curl_url", "curl_url_cleanup",
        "curl_url_set", "curl_url_get", "curl_free",
    };
    _Static_assert(sizeof names == sizeof(GlissadeCurl), "a name for each function");
    void **functions = (void **)curl;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!(functions[i] = dlsym(library, names[i]))) return 0;
    return curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

/// The HTTP authentication methods to use if a URL contains a user name and a password.
static const long glissade_curl_authentication = CURLAUTH_BASIC | CURLAUTH_DIGEST;

// Wrappers for variadic functions, which Swift cannot call.

static inline CURLcode glissade_curl_set_text(
    GlissadeCurl curl, CURL *easy, CURLoption option, const char *text) {
    return curl.easy_setopt(easy, option, text);
}

static inline CURLcode glissade_curl_set_number(GlissadeCurl curl, CURL *easy, CURLoption option, long number) {
    return curl.easy_setopt(easy, option, number);
}

static inline CURLcode glissade_curl_set_pointer(GlissadeCurl curl, CURL *easy, CURLoption option, void *pointer) {
    return curl.easy_setopt(easy, option, pointer);
}

typedef size_t (*GlissadeCurlData)(char *data, size_t size, size_t count, void *context);

/// Sets all callbacks, with `context` as their argument. Returns whether the library supports all of them.
static inline int glissade_curl_set_callbacks(
    GlissadeCurl curl, CURL *easy, GlissadeCurlData head, GlissadeCurlData body, curl_opensocket_callback open,
    curl_prereq_callback ready, void *context) {
    return curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, head) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_HEADERDATA, context) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_WRITEDATA, context) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, ready) == CURLE_OK
        && curl.easy_setopt(easy, CURLOPT_PREREQDATA, context) == CURLE_OK;
}

/// Returns the `errno` of the last failed attempt to connect; 0 if there was none.
static inline long glissade_curl_system_error(GlissadeCurl curl, CURL *easy) {
    long code = 0;
    return curl.easy_getinfo(easy, CURLINFO_OS_ERRNO, &code) == CURLE_OK ? code : 0;
}

/// Makes all transfers that use `share` share their cookies.
static inline void glissade_curl_share_cookies(GlissadeCurl curl, CURLSH *share) {
    curl.share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

/// Returns the result of a transfer from its completion message.
static inline CURLcode glissade_curl_result(const CURLMsg *message) { return message->data.result; }

/// Copies the bytes of an IP address to which libcurl is about to connect. Returns the number of bytes: 4 for IPv4,
/// 16 for IPv6, 0 for any other family.
static inline int glissade_curl_address_bytes(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

static inline curl_socket_t glissade_curl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#endif
