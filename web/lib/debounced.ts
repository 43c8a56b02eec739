import { useEffect, useState } from 'react';

/** The value once it has stopped changing for a while. */
export function useDebounced<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timeout = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timeout);
  }, [value, restMs]);
  return rested;
}
