"""Bar charts as SVG, legible on light and on dark pages."""

from xml.sax.saxutils import escape

# Both themes: the page's background shows through, text is a grey that stands out on white and on black.
STYLE = """
  text { font: 12px sans-serif; fill: #767676; }
  .name { text-anchor: end; }
  .title { font-weight: bold; font-size: 14px; }
  .tick { text-anchor: middle; font-size: 11px; }
  .grid { stroke: #808080; stroke-opacity: 0.3; }
  .one { stroke: #808080; stroke-width: 1.5; }
  .s0 { fill: #2f81f7; } .s1 { fill: #e8833a; } .s2 { fill: #3fa45b; } .s3 { fill: #9a6dd7; }
  @media (prefers-color-scheme: dark) { text { fill: #9aa4af; } }
"""
NAMES, WIDTH, RIGHT = 190, 560, 60  # pixels: names, bars, figures at their ends
BAR, GAP, TOP, LEGEND = 11, 9, 34, 22


def scale_of(largest):
    """The end of the axis and the step of its grid."""
    for step in (0.1, 0.2, 0.25, 0.5, 1.0):
        if largest / step <= 10:
            return step * -(-largest // step), step
    return largest, largest / 5


def bars(title, series, rows, line=None, unit="x"):
    """A chart of horizontal bars. `rows`: (name, [value or None for each of `series`]); `line`: where a line is drawn."""
    shown = [value for _, figures in rows for value in figures if value]
    end, step = scale_of(max([*shown, line or 0]))
    across = WIDTH / end
    group = len(series) * BAR + GAP
    height = TOP + LEGEND + len(rows) * group + 24
    total = NAMES + WIDTH + RIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{total}" height="{height}" role="img">',
           f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>",
           f'<text class="title" x="8" y="20">{escape(title)}</text>']
    at = NAMES
    for i, name in enumerate(series):
        out.append(f'<rect class="s{i}" x="{at}" y="{TOP}" width="11" height="11"/>')
        out.append(f'<text x="{at + 16}" y="{TOP + 10}">{escape(name)}</text>')
        at += 40 + 7 * len(name)
    top, bottom = TOP + LEGEND, height - 22
    for i in range(round(end / step) + 1):
        x = NAMES + i * step * across
        out.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>')
        out.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 14}">{i * step:g}{unit}</text>')
    if line:
        x = NAMES + line * across
        out.append(f'<line class="one" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>')
    y = top + GAP / 2
    for name, figures in rows:
        out.append(f'<text class="name" x="{NAMES - 8}" y="{y + len(series) * BAR / 2 + 4:.1f}">{escape(name)}</text>')
        for i, value in enumerate(figures):
            if value:
                out.append(f'<rect class="s{i}" x="{NAMES}" y="{y + i * BAR:.1f}" width="{value * across:.1f}" height="{BAR - 2}"/>')
                label = f"{value:.0f}" if unit == " %" else f"{value:.2f}"
                out.append(f'<text x="{NAMES + value * across + 4:.1f}" y="{y + i * BAR + 9:.1f}" style="font-size:10px">{label}</text>')
        y += group
    return "\n".join([*out, "</svg>", ""])
