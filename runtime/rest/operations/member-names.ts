/** The member of a document that holds the operations. */
export const OPERATIONS = 'atomic:operations'

/** The member of an answer that holds what they gave. */
export const RESULTS = 'atomic:results'
