/** The page's own style sheet, in the product's colours. */
export const styles = `
:root { --paper: #f6f4ef; --card: #fff; --line: #e2e6ec; --ink: #10233f; --soft: #4a5a70; --leaf: #0b6e5f; --tint: #e3f2ee; --warn: #8a5a00; --bad: #b42318 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0b1420; --card: #141f2e; --line: #2a3747; --ink: #eaf0f7; --soft: #a8b5c5; --leaf: #4fc4ae; --tint: #12332f; --warn: #f2c266; --bad: #ff9e94 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
header, .columns { max-width: 75rem; margin: 0 auto; padding: 1.5rem }
header p { max-width: 45rem; color: var(--soft); margin: .5rem 0 }
h1 { font-size: 2rem; line-height: 2.375rem; margin: 0 }
h2 { font-size: 1.25rem; margin: 2rem 0 .75rem }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
h4 { font-size: .875rem; margin: 1rem 0 .25rem; color: var(--soft) }
a { color: var(--leaf) }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px }
code { font: .875em ui-monospace, "Roboto Mono", "Liberation Mono", monospace }
.columns { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 2rem; padding-top: 0 }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding-bottom: 2rem; font-size: .875rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: .25rem 0; text-decoration: none; color: var(--ink); overflow-wrap: anywhere }
nav a:hover { color: var(--leaf) }
section { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; margin-bottom: 1rem }
section p { margin: .25rem 0 }
section:target { border-color: var(--leaf) }
.method { display: inline-block; min-width: 3.6rem; padding: 0 .4rem; border-radius: .5rem; background: var(--tint); color: var(--leaf); font-size: .75rem; font-weight: 600; text-align: center }
.method.put, .method.patch { color: var(--warn) }
.method.delete { color: var(--bad) }
.who, .optional { color: var(--soft) }
.optional { font-size: .75rem }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
th { color: var(--soft); font-weight: 600; border-top: 0 }
td:first-child { width: 14rem }
details { margin-top: 1rem }
summary { cursor: pointer; font-size: .875rem; font-weight: 600 }
@media (max-width: 50rem) {
  .columns { grid-template-columns: minmax(0, 1fr) }
  nav { position: static; max-height: none }
}
`;
