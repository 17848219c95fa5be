import type { HttpMethod } from '../document.js'

/** Descriptions of operations, in addition to those of their parameters and schemas. */
export const DESCRIPTIONS = {
  list: 'All filters must match. They reach into relationships: `filter[author][name$contains]=Ann`; into a to-many one, where some member matches.',
  get: 'With `include`, resources that it is related to come along.',
  create: 'Its relationships lead to resources that there are already.',
  createOrUpdate:
    'Its relationships lead to resources that there are already. With `meta.operation` and `meta.matchFields`, updates the one that matches.',
  createMember: 'It is a member from the start: its body need not say so.',
  update: 'What the body does not name stays. A to-many relationship is replaced as a whole.',
  delete: 'What is related to it goes along, stays, or forbids it with 409, as the database has it.',
  relatedOne: 'Null where it leads to none.',
  replaceOne: 'The resources themselves stay.',
} as const

/** Texts for the changes of a relationship, by method. `*` is replaced with the relationship. */
export const CHANGES = {
  patch: {
    id: 'replace*',
    summary: 'Replace what * leads to',
    description: 'It has these members then, and no others.',
  },
  put: { id: 'replace*WithPut', summary: 'Replace what * leads to', description: 'The same as PATCH.' },
  post: { id: 'addTo*', summary: 'Add members to *', description: 'What is a member already stays one.' },
  delete: {
    id: 'removeFrom*',
    summary: 'Remove members from *',
    description: 'What is no member is passed over.',
  },
  get: { id: 'get*', summary: '*', description: '' },
} as const satisfies Readonly<Record<HttpMethod, object>>
