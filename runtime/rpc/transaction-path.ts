/** Where transactions are served, below the prefix: the path that ZenStack's clients ask. */
export const TRANSACTION_PATH = '/$transaction/sequential'
