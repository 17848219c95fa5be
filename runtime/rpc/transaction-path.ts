/** The path of transactions below the prefix. ZenStack's clients use the same path. */
export const TRANSACTION_PATH = '/$transaction/sequential'
