import type { HttpMethod } from '../document-types.js'

/** Descriptions of operations, in addition to those of their parameters and schemas. */
export const DESCRIPTIONS = {
  list: 'Returns the resources that match all filters, one page at a time.',
  get: 'Use `include` to also return related resources.',
  create: 'Relationships must refer to existing resources.',
  createOrUpdate:
    'Relationships must refer to existing resources. With `meta.operation` and `meta.matchFields`, an existing resource that matches is updated instead.',
  createMember: 'The new resource is related to the resource in the URL. The body can omit this relationship.',
  update: 'Fields that are not in the body do not change. A to-many relationship is replaced completely.',
  delete: 'The foreign keys in the database determine whether related resources are deleted, are kept or cause a 409.',
  relatedOne: 'Null if there is no related resource.',
  replaceOne: 'The related resources themselves do not change.',
} as const

/** Descriptions of changes to a relationship, by method. `*` is replaced with the name of the relationship. */
export const CHANGES = {
  patch: {
    id: 'replace*',
    summary: 'Replace *',
    description: 'Replaces all members with those in the body.',
  },
  put: { id: 'replace*WithPut', summary: 'Replace *', description: 'Equivalent to PATCH.' },
  post: { id: 'addTo*', summary: 'Add members to *', description: 'Resources that are already members are ignored.' },
  delete: {
    id: 'removeFrom*',
    summary: 'Remove members from *',
    description: 'Resources that are not members are ignored.',
  },
  get: { id: 'get*', summary: '*', description: '' },
} as const satisfies Readonly<Record<HttpMethod, object>>
