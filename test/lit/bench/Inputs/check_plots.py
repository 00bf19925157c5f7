"""Reads the plots of a page: each is XML, and each bar is as long as its figure says. Prints NAME: LABELS."""
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"
for file in sorted(Path(sys.argv[1]).glob("*.svg")):
    root = tree.parse(file).getroot()
    # The legend's squares have no figure behind them.
    widths = [float(bar.get("width")) for bar in root.iter(SVG + "rect") if bar.get("width") != "11"]
    labels = [text.text for text in root.iter(SVG + "text") if text.get("style")]
    names = [text.text for text in root.iter(SVG + "text") if text.get("class") == "name"]
    assert len(widths) == len(labels), file
    for width, label in zip(widths, labels):
        # All bars of a plot have one scale; a figure is rounded in its label.
        assert abs(width / widths[0] - float(label) / float(labels[0])) < 0.03, (file, width, label)
    print(f"{file.stem}: {' '.join(names)}: {' '.join(labels)}")
