/**
 * The edition of the books that this version reads and writes. A version raises it, in a migration that updates
 * `drizzle.books_edition`, if an earlier one would read or write the books wrongly beside it: other sealed columns, another
 * fold, a column with a new meaning. Versions of one edition may serve one database together.
 */
export const booksEdition = 1;
