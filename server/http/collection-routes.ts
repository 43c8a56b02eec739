import type * as collection from '#contract/collection-endpoints.ts';
import { listComplaints, updateComplaint } from '#server/services/complaint-service.ts';
import { listContacts, recordContact } from '#server/services/contact-service.ts';
import {
  listCollections,
  listPortfolioLoans,
  readDay,
  readJournal,
  readPortfolio,
} from '#server/services/portfolio-service.ts';
import { find, readToday } from '#server/services/today-service.ts';
import type { Handlers } from './route.ts';

export const collectionRoutes: Handlers<typeof collection> = {
  readToday: ({ deps, caller }) => readToday(deps, caller),
  find: ({ deps, query }) => find(deps, query.search),
  listCollections: ({ deps, query }) => listCollections(deps, query),
  listContacts: ({ deps, caller, params }) => listContacts(deps, caller, params.id),
  recordContact: ({ deps, caller, params, body, once }) =>
    once((tx) => recordContact(deps, tx, caller, params.id, body)),
  listComplaints: ({ deps, query }) => listComplaints(deps, query),
  updateComplaint: ({ deps, caller, params, body, once }) =>
    once((tx) => updateComplaint(deps, tx, caller, params.id, body)),
  readPortfolio: ({ deps, query }) => readPortfolio(deps, query.asOf),
  listPortfolioLoans: ({ deps, query }) => listPortfolioLoans(deps, query.asOf),
  readDay: ({ deps, query }) => readDay(deps, query.date),
  readJournal: ({ deps, query }) => readJournal(deps, query),
};
