/** The name of the document member that contains the operations. */
export const OPERATIONS = 'atomic:operations'

/** The name of the response member that contains the results. */
export const RESULTS = 'atomic:results'
