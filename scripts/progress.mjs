const quietMs = 1000;

/**
 * Awaits the work, printing its label and duration only if it takes over a second.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startMs = performance.now();
  let told = false;
  const timer = setTimeout(() => {
    told = true;
    console.log(`${label} …`);
  }, quietMs);
  try {
    const result = await work();
    if (told) console.log(`${label}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
