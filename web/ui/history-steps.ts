import { useEffectEvent, useLayoutEffect } from 'react';
import { popped } from './popped.ts';

/**
 * Sheets, dialogs and the steps within them are entries of the browser's history (§one-step-back): each open one has an
 * entry above the page's, at the same address, whose state is how many are open there. Closing one in any other way takes its entry away.
 */
type Step = {
  back: () => void;
  escape: () => void;
  reopen: (() => void) | undefined;
};

/** The open steps, topmost last. */
let steps: readonly Step[] = [];
/** Functions that reopen the steps that Back closed, by how many were open below. */
const closed: Step['reopen'][] = [];
/** While the browser goes back on our behalf; it does so later. */
let isLeaving = false;
/** Changes of the address that were made meanwhile. */
const waiting: (() => void)[] = [];
/** The page's address below the open steps, and the one that it was given since: only the top entry can be changed at once. */
let page = { from: '', moved: undefined as Parameters<History['replaceState']> | undefined };
/** While steps close because the reader went further back than their page, which must not give that place its address. */
let isElsewhere = false;
let isWatching = false;
let isDue = false;

/** A browser that has nothing to go back to says nothing. */
const leavingMaxMs = 3000;
let patience: ReturnType<typeof setTimeout> | undefined;

const openHere = (): number => history.state?.openSteps ?? 0;
const stateOf = (openSteps: number) => (openSteps > 0 ? { openSteps } : null);

/** Brings the history to the steps that are open, once the drawing under way is done. */
function settleSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    if (isLeaving) return;
    const surplus = openHere() - steps.length;
    if (surplus > 0) {
      isLeaving = true;
      history.go(-surplus);
      patience = setTimeout(giveUpLeaving, leavingMaxMs);
    }
    while (openHere() < steps.length) {
      if (openHere() === 0) page = { from: location.href, moved: undefined };
      closed.length = openHere();
      plain.push(stateOf(openHere() + 1), '');
    }
  });
}

function giveUpLeaving(): void {
  plain.replace(null, '');
  onPopState();
}

/** The browser's own methods; `watchHistory` sets them. */
const plain = {
  push: (..._: Parameters<History['pushState']>) => {},
  replace: (..._: Parameters<History['replaceState']>) => {},
};

function onPopState(): void {
  const isOurs = isLeaving;
  isLeaving = false;
  clearTimeout(patience);
  const open = openHere();
  const { from, moved } = page;
  if (moved && (open > 0 || location.href === from)) {
    plain.replace(open > 0 ? history.state : moved[0], '', moved[2]);
    if (open === 0) page = { from: location.href, moved: undefined };
  }
  for (const change of waiting.splice(0)) change();
  if (!isOurs) {
    isElsewhere = open === 0 && location.href !== page.from;
    const left = steps.slice(open);
    for (const [index, { back, reopen }] of [...left.entries()].reverse()) {
      closed[open + index] = reopen;
      back();
    }
    isElsewhere = false;
    for (let below = steps.length; below < open; below += 1) closed[below]?.();
  }
  settleSoon();
}

/**
 * Lets the history know steps from here on. A page that is opened while some are open takes the place of
 * their entry, and one that gives the page itself another address does so below them.
 */
export function watchHistory(): void {
  if (isWatching) return;
  isWatching = true;
  plain.push = history.pushState.bind(history);
  plain.replace = history.replaceState.bind(history);
  const change = (isPush: boolean) => (state: unknown, unused: string, url?: string | URL | null) => {
    if (isLeaving) return void waiting.push(() => change(isPush)(state, unused, url));
    if (isElsewhere && !isPush) return;
    if (openHere() === 0) return (isPush ? plain.push : plain.replace)(state, unused, url);
    if (isPush) return plain.replace(state, unused, url);
    page.moved = [state, unused, url];
    plain.replace(history.state, unused, url);
  };
  history.pushState = change(true);
  history.replaceState = change(false);
  popped.before = onPopState;
  // A document that was left with something open wrote this entry.
  settleSoon();
}

/**
 * Gives an open sheet, dialog or step its entry. `back`: for the phone's Back; to refuse, leave it open. `escape`: for Esc and
 * the close button, where they do something else. `reopen`: for Forward.
 */
export function useHistoryStep(
  isOpen: boolean,
  back: () => void,
  { escape: out = back, reopen }: { escape?: () => void; reopen?: (() => void) | undefined } = {},
): void {
  const onBack = useEffectEvent(back);
  const onEscape = useEffectEvent(out);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what opens it anew is of the time when it was open
  useLayoutEffect(() => {
    if (!isOpen) return;
    watchHistory();
    const step: Step = { back: () => onBack(), escape: () => onEscape(), reopen };
    steps = [...steps, step];
    settleSoon();
    return () => {
      steps = steps.filter((other) => other !== step);
      settleSoon();
    };
  }, [isOpen]);
}

/** Back calls this on the topmost step. */
export const stepBack = (): void => steps.at(-1)?.back();
/** Esc and the close button call this. */
export const stepOut = (): void => steps.at(-1)?.escape();
