/// \file
/// The style sheet of the HTML page.
#pragma once

namespace pipeline_rewrite {

constexpr const char HtmlStyle[] = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2126; --soft: #59636e; --line: #d4dae0;
  --panel: #f5f7f9; --copy: #3b7dd8; --compute: #d9822b; --good: #1a7f37; --bad: #b3261e;
  --link: #0b57d0; --hit: #fff3cd; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181c; --ink: #e3e8ec; --soft: #9aa6b2; --line: #343c44; --panel: #1c2228;
    --copy: #6ba5f2; --compute: #eda456; --good: #56c271; --bad: #f2837b; --link: #8ab4f8;
    --hit: #4a3d12; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: .3rem 0; }
h2 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
a { color: var(--link); overflow-wrap: anywhere; }
code, pre, .source { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85rem; }
.soft, figcaption { color: var(--soft); }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem;
  font-size: .85rem; font-weight: 600; white-space: nowrap; }
.rewritten, .eligible { color: var(--good); }
.refused { color: var(--bad); }
.skipped { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
.overview td { white-space: nowrap; }
.overview td:first-child { white-space: normal; min-width: 7rem; max-width: 16rem; overflow-wrap: anywhere; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .6rem; text-align: left;
  vertical-align: top; }
th { font-size: .85rem; color: var(--soft); }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; }
td.figure { white-space: nowrap; }
section.loop { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem; margin: 1rem 0; }
.drawings { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: .5rem 0; flex: 1 1 320px; max-width: 30rem; min-width: 0; }
figcaption { font-size: .85rem; }
svg { width: 100%; height: auto; display: block; background: var(--panel); border-radius: .3rem; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; paint-order: stroke;
  stroke: var(--panel); stroke-width: 3px; }
svg text.mark { fill: var(--ink); font-weight: 600; }
svg .grid { stroke: var(--line); }
svg .limit { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .stairs { fill: none; stroke: var(--ink); stroke-width: 1.5; }
svg .copy, svg .before, .key.copy { fill: var(--copy); background: var(--copy); }
svg .compute, svg .after, .key.compute { fill: var(--compute); background: var(--compute); }
svg circle { stroke: var(--paper); stroke-width: 1.5; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; }
ul.reasons { padding-left: 1.1rem; }
ul.reasons li { margin: .3rem 0; overflow-wrap: anywhere; }
.source { border-left: 3px solid var(--line); margin: .4rem 0; overflow-x: auto; }
.source td { border: 0; padding: 0 .5rem; white-space: pre; }
.source td.number { color: var(--soft); text-align: right; user-select: none; }
.source tr.hit td, .source tr:target td { background: var(--hit); }
.source tr.note td { white-space: normal; color: var(--bad); font-family: system-ui, sans-serif; }
.source tr.note.remark td { color: var(--soft); }
)css";

} // namespace pipeline_rewrite
