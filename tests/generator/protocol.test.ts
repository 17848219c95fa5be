import { describe, expect, it } from 'vitest'

import { parseRequest } from '../../generator/protocol.js'

const generateRequest = (schema: object, documentation: string) => ({
  jsonrpc: '2.0',
  method: 'generate',
  params: {
    datamodel: '/// "schema":{"inputObjectTypes":{}}',
    dmmf: { datamodel: { models: [{ schema: null, documentation }] }, ...schema, mappings: { modelOperations: [] } },
    otherGenerators: [{ config: { mappings: '"mappings":{"modelOperations":[]}' } }],
  },
  id: 2,
})

const parse = (request: object) => parseRequest(Buffer.from(JSON.stringify(request)))

describe('parseRequest', () => {
  const comments = ['', '"schema":{"inputObjectTypes":', '"mappings":{"modelOperations":', '\\', 'é\n"']

  it.each(comments)('omits the types of the query language with the comment %j', (comment) => {
    const schema = { schema: { inputObjectTypes: { prisma: [{ name: '{}"' }] }, outputObjectTypes: {} } }
    expect(parse(generateRequest(schema, comment))).toEqual(generateRequest({}, comment))
  })

  it('returns requests without these types unchanged', () => {
    const requests = [generateRequest({}, ''), { jsonrpc: '2.0', method: 'getManifest', params: {}, id: 1 }]
    expect(requests.map(parse)).toEqual(requests)
  })
})
