// Page translation and extensions wrap, move and remove nodes that React goes on holding. Its next update would throw, or go to a text
// that is no longer on the page (§altered-pages). Where React's own place for a node is not true, it gets the one on the page.

type Loss = { parent: Node; next: Node | null; standIn: ChildNode | undefined };

/** Nodes that were taken from where React had put them. */
const losses = new WeakMap<Node, Loss>();
const standIns = new WeakSet<Node>();

const observer = new MutationObserver(note);
observer.observe(document, { childList: true, subtree: true });

function note(records: MutationRecord[]): void {
  for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const there = previousSibling ? previousSibling.nextSibling : target.firstChild;
    for (const node of removedNodes) {
      if (target.contains(node) || !isOurs(node)) continue;
      const standIn = [...addedNodes, previousSibling, nextSibling, there].find(isStandIn);
      if (standIn) standIns.add(standIn);
      losses.set(node, { parent: target, next: nextSibling, standIn });
    }
  }
}

/** React marks the nodes that it makes. */
const isOurs = (node: Node) => Object.keys(node).some((key) => key.startsWith('__react'));

const isStandIn = (node: Node | null | undefined): node is Element =>
  node instanceof Element && !standIns.has(node) && !isOurs(node);

function lossOf(node: Node): Loss | undefined {
  note(observer.takeRecords());
  return losses.get(node);
}

/** The node that now is where this one was in the parent, or comes after it. */
function placeIn(parent: Node, wanted: Node | null): Node | null {
  let node = wanted;
  while (node && !parent.contains(node)) {
    const loss = lossOf(node);
    node = loss?.standIn && parent.contains(loss.standIn) ? loss.standIn : (loss?.next ?? null);
  }
  // The outermost wrapper that begins with it.
  while (node && node.parentNode !== parent && !node.previousSibling) node = node.parentNode;
  return node;
}

const { insertBefore, removeChild } = Node.prototype;
const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') as PropertyDescriptor;

function put(parent: Node, node: Node, next: Node | null): void {
  const place = placeIn(parent, next);
  insertBefore.call(place?.parentNode ?? parent, node, place);
}

Node.prototype.insertBefore = function (node, next) {
  if (!next || next.parentNode === this) return insertBefore.call(this, node, next) as typeof node;
  put(this, node, next);
  return node;
};

Node.prototype.removeChild = function (child) {
  if (child.parentNode === this) return removeChild.call(this, child) as typeof child;
  let node: Node | undefined = child.parentNode ? child : lossOf(child)?.standIn;
  // Wrappers that hold nothing else go with it.
  while (
    node?.parentNode &&
    this !== node.parentNode &&
    this.contains(node) &&
    node.parentNode.childNodes.length === 1
  )
    node = node.parentNode;
  node?.parentNode && removeChild.call(node.parentNode, node);
  return child;
};

Object.defineProperty(Node.prototype, 'nodeValue', {
  ...nodeValue,
  set(this: ChildNode, value) {
    const loss = this.parentNode ? undefined : lossOf(this);
    if (loss?.standIn?.parentNode) loss.standIn.replaceWith(this);
    else if (loss) put(loss.parent, this, loss.next);
    nodeValue.set?.call(this, value);
  },
});
