"""variants.py make SOURCE FOLDER | check EXPECTED FOLDER: the same text in other clothes, before and after."""
import os
import sys

BOM = b"\xef\xbb\xbf"


def clothes(text):
    return {
        "crlf.cu": text.replace(b"\n", b"\r\n"),
        "bom.cu": BOM + text,
        "no-newline.cu": text.rstrip(b"\n"),
        "target.cu": text,
    }


text = open(sys.argv[2], "rb").read()
folder = sys.argv[3]
for name, wanted in clothes(text).items():
    path = os.path.join(folder, name)
    if sys.argv[1] == "make":
        with open(path, "wb") as out:
            out.write(wanted)
    elif open(path, "rb").read() != wanted:
        sys.exit(f"{name} is not what it should be")
link = os.path.join(folder, "link.cu")
if sys.argv[1] == "make":
    os.symlink("target.cu", link)
elif not os.path.islink(link):
    sys.exit("the link was replaced by a file")
