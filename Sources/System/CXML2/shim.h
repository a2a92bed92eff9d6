#ifndef GLISSADE_CXML2_H
#define GLISSADE_CXML2_H

#include <libxml/parser.h>

static inline void glissade_xml_ignore(void *context, const char *message, ...) { (void)context, (void)message; }

/// Creates a push parser that calls `start`, `end` and `text`, and nothing else. It opens no other files, expands no
/// entities, prints no messages, and continues after errors. Returns null if there is no memory.
static inline xmlParserCtxtPtr glissade_xml_parser(
    void *context, startElementNsSAX2Func start, endElementNsSAX2Func end, charactersSAXFunc text) {
    xmlSAXHandler handler = {0};
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start;
    handler.endElementNs = end;
    handler.characters = text;
    handler.cdataBlock = text;
    handler.error = glissade_xml_ignore;
    handler.warning = glissade_xml_ignore;
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, context, 0, 0, 0);
    if (parser) xmlCtxtUseOptions(parser, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    return parser;
}

#endif
