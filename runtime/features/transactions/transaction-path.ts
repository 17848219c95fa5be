/** The path of transactions, relative to the prefix. ZenStack's clients use the same path. */
export const TRANSACTION_PATH = '/$transaction/sequential'
