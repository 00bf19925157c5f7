"""Checks a JSON document against a JSON schema: check_schema.py SCHEMA DOCUMENT

Knows the part of JSON Schema that docs/report.schema.json uses, and refuses a schema that uses more.
Prints one line a violation and exits with 1 where there is one.
"""
import json
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
ANNOTATIONS = {"$schema", "$defs", "title", "description"}
KEYWORDS = ANNOTATIONS | {
    "$ref", "type", "const", "enum", "required", "properties", "additionalProperties", "items",
    "minimum", "maximum",
}


def has_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def violations(value, schema, root, where="$"):
    for keyword in schema.keys() - KEYWORDS:
        raise SystemExit(f"check_schema: keyword {keyword} is not known")
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from violations(value, target, root, where)
    types = schema.get("type", [])
    types = types if isinstance(types, list) else [types]
    if types and not any(has_type(value, name) for name in types):
        yield f"{where}: {value!r} is no {' or '.join(types)}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if isinstance(value, (int, float)):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{where}: {value} is out of range"
    if isinstance(value, dict):
        yield from object_violations(value, schema, root, where)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from violations(item, schema["items"], root, f"{where}[{index}]")


def object_violations(value, schema, root, where):
    properties = schema.get("properties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield f"{where}: {key} is missing"
    for key, item in value.items():
        if key in properties:
            yield from violations(item, properties[key], root, f"{where}.{key}")
        elif schema.get("additionalProperties", True) is False:
            yield f"{where}: {key} is not in the schema"


def main():
    schema, document = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    found = list(violations(document, schema, schema))
    print("\n".join(found) if found else "valid")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
