import type { TeamName } from './people.js'

/** The data for a team's issues. */
interface TeamIssues {
  readonly projects: readonly string[]
  readonly titles: readonly string[]
}

/** The titles of the issues, oldest first. They are distributed over the projects in turn. */
export const ISSUES: Readonly<Record<TeamName, TeamIssues>> = {
  Orchard: {
    projects: ['WEB', 'PAY'],
    titles: [
      'Search finds nothing for words with an accent',
      'Refunds of vouchers are rounded twice',
      'Product pictures jump while they load',
      'Card form forgets the month when it is wrong',
      'The basket is empty after logging in',
      'Receipts show the time of the server',
      'Filter by size does not reach the second page',
      'Ask for the strong customer check only once',
      'Footer links cannot be reached by keyboard',
      'Invoices above a page lose their last line',
      'Sort by price puts free items last',
      'Bank transfers stay pending after a weekend',
      'Wish list shows products that are gone',
      'Do not charge when the stock runs out',
      'Headings are too small on narrow screens',
      'Export of payments stops after 1000 rows',
      'Colour names are not translated',
      'Show fees before the last step',
      'Price changes are not seen until midnight',
      'Retry webhooks that were answered with 503',
      'Back button loses the filters',
      'Vouchers can be used from two tabs at once',
      'Contrast of the sale badge is too low',
      'Currency of gift cards is always euro',
      'Delivery date ignores public holidays',
      'Payment page is blank without scripts',
      'Reviews with emoji break the list',
      'Tell which card was declined, and why',
      'Newsletter form accepts anything',
      'Ledger and bank differ by a cent',
      'Pictures are larger than they need to be',
      'Dispute notes are cut after 200 letters',
      'Print view of an order is two pages long',
      'Close sessions when a password changes',
      'Size table does not scroll on phones',
      'Monthly report takes four minutes',
      'Category pages have no description',
      'Test cards work in production',
      'Remember the country of the last order',
      'Payouts skip the thirty-first',
      'Typing in the search field is slow',
      'VAT is missing on shipping',
    ],
  },
  Harbour: {
    projects: ['IOS', 'MAP'],
    titles: [
      'Route goes through a closed bridge',
      'Labels overlap when the map is turned',
      'App asks for the location twice',
      'Ferries are not on the map at night',
      'Photo of the parcel is upside down',
      'Zooming out is slow on old phones',
      'Battery is empty after half a shift',
      'House numbers of new streets are missing',
      'Signature cannot be drawn with gloves on',
      'Walking paths are shown as roads',
      'Tour is lost when there is no network',
      'Distances are in miles for everyone',
      'Scanner needs too much light',
      'Search prefers streets far away',
    ],
  },
}

/** The texts of the comments, used in turn. */
export const COMMENTS: readonly string[] = [
  'I can see it too, on the second try.',
  'Happens since the release of last week.',
  'A customer wrote about this yesterday.',
  'Let us look at the logs before we guess.',
  'The fix is small. The test is not.',
  'Could this be the cache?',
  'It was not the cache.',
  'I have a branch that mends it; somebody else should look at it.',
  'Looks good to me, with one question about the empty case.',
  'Waiting for an answer from support.',
  'It is worse on a slow network.',
  'Deployed to staging.',
]
