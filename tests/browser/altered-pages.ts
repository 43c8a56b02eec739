/**
 * How somebody else alters a page, in it from its first node on. Page translation puts each text into two `<font>`, as copies in place of
 * the text, put there at once or before or after it, or with the text itself inside; `translate="no"` is left as it is. An extension disturbs more: it puts
 * its own elements between the app's and into forms, and wraps some of the app's in one of its own.
 */
export type Alteration = 'replaced' | 'moved' | 'before' | 'after' | 'disturbed';

export function alterPage(how: Alteration): void {
  const left = '[translate=no], script, style, noscript, textarea, select, font';
  function translate(text: Text) {
    if (!text.data.trim() || !text.parentElement || text.parentElement.closest(left)) return;
    if (how === 'disturbed') return disturb(text, text.parentElement);
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    outer.append(inner);
    if (how !== 'moved') inner.textContent = text.data;
    if (how === 'before') text.before(outer);
    if (how === 'after') text.after(outer);
    if (how === 'before' || how === 'after') text.remove();
    else text.replaceWith(outer);
    if (how === 'moved') inner.append(text);
  }
  let disturbed = 0;
  function disturb(text: Text, parent: HTMLElement) {
    // Once: what it adds is itself something new on the page.
    if (parent.closest('[data-disturbed]')) return;
    parent.dataset.disturbed = '';
    disturbed += 1;
    const added = document.createElement('span');
    if (disturbed % 3 === 0) {
      added.append(...parent.childNodes);
      parent.append(added);
    } else if (disturbed % 3 === 1) text.before(added);
    else text.after(added);
    parent.closest('form')?.append(document.createElement('div'));
  }
  function translateAll(root: Node) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) translate(text);
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') translate(target as Text);
      for (const node of addedNodes) {
        if (node instanceof Text) translate(node);
        else translateAll(node);
      }
    }
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}
