import { expect, it } from 'vitest'

import { describeChange } from '../../generator/output/drift.js'
import { documentsOf } from '../openapi/support/documents.js'
import { blocksOfKind } from './support/kinds.js'
import { formatLocation } from './support/pages.js'
import { subscriberSchema } from './support/schema.js'

it.each(blocksOfKind('document drift').map((block) => [formatLocation(block), block] as const))(
  '%s: equals the diff of the README OpenAPI document',
  async (_location, { marker, text }) => {
    const added = marker.slice('document drift: '.length)
    const before = await documentsOf(subscriberSchema())
    const after = await documentsOf(subscriberSchema().replace(/\n}\n*$/, `\n  ${added}\n}\n`))
    const file = { path: 'src/openapi/rest.openapi.json', text: after.rest, before: { text: before.rest, mode: 0o644 } }
    let rest = describeChange(process.cwd(), file) ?? ''
    for (const part of text.trim().split(/\n…\n/)) {
      expect(rest).toContain(`${part}\n`)
      rest = rest.slice(rest.indexOf(part) + part.length)
    }
  },
)
