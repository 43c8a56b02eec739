import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { limits } from '#domain/limits.ts';
import { dismissToast, endSilence, lastToast, toast, toastStore } from '#web/lib/toast-store.ts';

const titles = () => toastStore.read().map(({ title }) => title);

describe('toasts', () => {
  it('only the newest is shown', () => {
    const ids = ['first', 'second', 'third'].map((title) => toast({ title }));
    expect(titles()).toEqual(['third']);
    expect(new Set(ids).size).toBe(3);
    expect(toastStore.read()[0]).toMatchObject({ id: ids[2], open: true });
  });

  it('carries what it was given', () => {
    const id = toast({ tone: 'bad', title: 'Update failed', description: 'Please try again' });
    expect(toastStore.read()).toEqual([
      { id, open: true, tone: 'bad', title: 'Update failed', description: 'Please try again' },
    ]);
  });

  it('a dismissed one closes at once and is removed after 1,000,000 ms', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const id = toast({ title: 'dismissed' });
    dismissToast(id);
    expect(toastStore.read()).toMatchObject([{ id, open: false }]);
    vi.advanceTimersByTime(999_999);
    expect(titles()).toEqual(['dismissed']);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual([]);
  });

  it('dismissing an old one leaves the new one alone, then and later', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const old = toast({ title: 'old' });
    toast({ title: 'new' });
    dismissToast(old);
    vi.advanceTimersByTime(2_000_000);
    expect(toastStore.read()).toMatchObject([{ title: 'new', open: true }]);
  });

  it('nothing covers a session’s last one until somebody signs in or none of its calls can be running', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    lastToast({ title: 'the end' });
    toast({ title: 'late' });
    expect(titles()).toEqual(['the end']);
    lastToast({ title: 'suspended' });
    vi.advanceTimersByTime(limits.callTimeoutMs - 1);
    toast({ title: 'later' });
    expect(titles()).toEqual(['suspended']);
    endSilence();
    toast({ title: 'welcome' });
    expect(titles()).toEqual(['welcome']);

    lastToast();
    toast({ title: 'late' });
    expect(titles()).toEqual(['welcome']);
    vi.advanceTimersByTime(limits.callTimeoutMs);
    toast({ title: 'of another day' });
    expect(titles()).toEqual(['of another day']);
    endSilence();
  });

  it('listeners hear every change until they stop, and snapshots stay the same in between', () => {
    const heard: string[][] = [];
    const stop = toastStore.subscribe(() => heard.push(titles()));
    const id = toast({ title: 'a' });
    toast({ title: 'b' });
    dismissToast(id);
    stop();
    toast({ title: 'c' });
    expect(heard).toEqual([['a'], ['b'], ['b']]);
    expect(toastStore.read()).toBe(toastStore.read());
  });
});
