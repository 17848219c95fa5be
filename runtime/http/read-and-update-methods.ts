// Mutable, because Hono's `on` does not accept readonly arrays.

/** The methods of an RPC read. `POST` is for arguments that are too long for a URL (design, section 5). Used by the emitted `rpc.ts`. */
export const READ_METHODS: ['GET', 'POST'] = ['GET', 'POST']

/** The methods of an update. Both change only the fields in the request (contract 4.1, rule 1; 4.3). Used by the emitted routers. */
export const UPDATE_METHODS: ['PATCH', 'PUT'] = ['PATCH', 'PUT']
