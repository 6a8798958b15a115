/** Frames whatever a selector finds, now and as long as it is asked for: elements come and go meanwhile. */
const FRAME = 'outline: 3px dashed var(--focus); outline-offset: 3px;';

export function pointAt(selector: string): () => void {
  const sheet = new CSSStyleSheet();
  // Where the keyboard is is shown as everywhere else.
  sheet.replaceSync(`:is(${selector}):not(:focus-visible) { ${FRAME} }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== sheet);
  };
}
