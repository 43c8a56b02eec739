import type { ReactNode } from 'react';

const numbers = /\b([A-Z]{2}-\d{4}-\d{6,9})\b/;

/** Keeps the numbers of loans and receipts in a title on one line: browsers break them at their dashes. */
export const unbroken = (title: string): ReactNode =>
  title.split(numbers).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
