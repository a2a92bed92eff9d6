// Uses toml++ 3.3 (Debian 12) or 3.4 as a header-only library. Its shared library is built with exceptions, and
// loading it would slow down every start.
#include "CTOML.h"

#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>

// Hostile input can violate some of toml++'s assertions, such as the one in `parse_value` for "[ }" in 3.4. With
// NDEBUG they would become assumptions, whose violation is undefined behavior. So the assertions stay enabled, and
// end the parsing rather than the program.
#undef NDEBUG
[[noreturn]] static void glissade_toml_assertion_failed() { throw std::logic_error("this cannot be read"); }
#define TOML_ASSERT(condition) (static_cast<bool>(condition) ? void() : glissade_toml_assertion_failed())
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 256
#include <toml++/toml.h>

namespace {

using Visit = void (*)(void *, const glissade_toml_item *);

glissade_toml_item item_of(const toml::node &node, int depth) {
    glissade_toml_item item{};
    item.depth = depth;
    switch (node.type()) {
    case toml::node_type::string: {
        item.kind = GLISSADE_TOML_STRING;
        const std::string &text = node.as_string()->get();
        item.text = text.data();
        item.text_count = text.size();
        break;
    }
    case toml::node_type::integer:
        item.kind = GLISSADE_TOML_NUMBER;
        item.number = static_cast<double>(node.as_integer()->get());
        break;
    case toml::node_type::floating_point:
        item.kind = GLISSADE_TOML_NUMBER;
        item.number = node.as_floating_point()->get();
        break;
    case toml::node_type::boolean:
        item.kind = GLISSADE_TOML_BOOLEAN;
        item.boolean = node.as_boolean()->get();
        break;
    case toml::node_type::array: item.kind = GLISSADE_TOML_ARRAY; break;
    case toml::node_type::table: item.kind = GLISSADE_TOML_TABLE; break;
    default: item.kind = GLISSADE_TOML_DATE; break;
    }
    return item;
}

void visit_table(const toml::table &table, int depth, void *context, Visit visit) {
    for (auto &&[key, node] : table) {
        glissade_toml_item item = item_of(node, depth);
        item.key = key.str().data();
        item.key_count = key.str().size();
        item.line = static_cast<uint32_t>(key.source().begin.line);
        item.column = static_cast<uint32_t>(key.source().begin.column);
        visit(context, &item);
        if (depth > 0) {
            if (const toml::array *array = node.as_array()) {
                for (const toml::node &element : *array) {
                    const glissade_toml_item inner = item_of(element, depth + 1);
                    visit(context, &inner);
                }
            }
        } else if (const toml::table *inner = node.as_table()) {
            visit_table(*inner, depth + 1, context, visit);
        }
    }
}

void set(glissade_toml_error *error, std::string_view message, uint32_t line, uint32_t column) {
    const size_t count = message.copy(error->message, sizeof error->message - 1);
    error->message[count] = 0;
    error->line = line;
    error->column = column;
}

}  // namespace

extern "C" bool glissade_toml_parse(
    const char *bytes, size_t count, void *context, Visit visit, glissade_toml_error *error) {
    try {
        const toml::parse_result result = toml::parse(std::string_view{bytes ? bytes : "", count});
        if (!result) {
            const toml::source_position &begin = result.error().source().begin;
            set(error, result.error().description(), static_cast<uint32_t>(begin.line),
                static_cast<uint32_t>(begin.column));
            return false;
        }
        visit_table(result.table(), 0, context, visit);
        return true;
    } catch (const std::exception &problem) {
        set(error, problem.what(), 0, 0);
        return false;
    }
}
