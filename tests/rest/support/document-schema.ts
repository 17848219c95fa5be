/**
 * Returns a JSON Schema of response documents, after JSON:API 1.1 "Document Structure" and with the members of the contract
 * (2.2, 2.3, 7.2). Closed: other members are errors.
 * @param strict only the members of JSON:API. Otherwise `status` is a number and errors may have an `ormCode`.
 */
export function documentSchema(strict: boolean): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    oneOf: ['success', 'value', 'failure'].map((name) => ({ $ref: `#/definitions/${name}` })),
    definitions: {
      success: closed(
        {
          data: {
            oneOf: [
              { type: 'null' },
              { $ref: '#/definitions/resource' },
              { $ref: '#/definitions/identifier' },
              { type: 'array', items: { $ref: '#/definitions/resource' } },
              { type: 'array', items: { $ref: '#/definitions/identifier' }, minItems: 1 },
            ],
          },
          included: { type: 'array', items: { $ref: '#/definitions/resource' } },
          meta: closed({
            total: { type: 'integer', minimum: 0 },
            // From the cursor pagination profile.
            page: {
              ...closed({
                total: { type: 'integer', minimum: 0 },
                rangeTruncated: { const: true },
              }),
              minProperties: 1,
            },
            serialization: serializationOf('^(data|included)\\.'),
          }),
          jsonapi: closed({ version: { const: '1.1' } }, ['version']),
          links: { $ref: '#/definitions/documentLinks' },
        },
        ['data', 'jsonapi', 'links'],
      ),
      // The result of a declared custom route that is not a resource.
      value: closed(
        {
          meta: closed({ result: {}, serialization: serializationOf('^meta\\.result(\\.|$)') }, ['result']),
          jsonapi: closed({ version: { const: '1.1' } }, ['version']),
        },
        ['meta', 'jsonapi'],
      ),
      failure: closed(
        {
          errors: { type: 'array', minItems: 1, items: { $ref: '#/definitions/error' } },
          jsonapi: closed({ version: { const: '1.1' } }, ['version']),
        },
        ['errors'],
      ),
      error: closed(
        {
          code: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
          status: strict
            ? { type: 'string', pattern: '^[45][0-9]{2}$' }
            : { type: 'integer', minimum: 400, maximum: 599 },
          title: { type: 'string', minLength: 1 },
          detail: { type: 'string', minLength: 1 },
          source: {
            ...closed({
              pointer: { type: 'string', pattern: '^(/.*)?$' },
              parameter: { type: 'string', minLength: 1 },
              header: { type: 'string', minLength: 1 },
            }),
            minProperties: 1,
            maxProperties: 1,
          },
          id: { type: 'string', minLength: 36 },
          links: closed({ type: { type: 'string', format: 'uri-reference' } }, ['type']),
          // A violated rule has parameters in addition to its name.
          meta: {
            type: 'object',
            minProperties: 1,
            properties: {
              ormCode: { type: 'string' },
              reason: { type: 'string' },
              fields: { type: 'array', minItems: 1, items: { type: 'string' } },
              rule: { type: 'string' },
            },
          },
          ...(strict ? {} : { ormCode: { type: 'string', pattern: '^P[0-9]{4}$' } }),
        },
        ['code', 'status', 'title', 'detail'],
      ),
      identifier: closed(
        { type: { $ref: '#/definitions/name' }, id: { type: 'string' }, meta: { $ref: '#/definitions/itemMeta' } },
        ['type', 'id'],
      ),
      itemMeta: {
        ...closed({
          page: closed({ cursor: { type: 'string', pattern: '^[\\w-]+$' } }, ['cursor']),
          version: { type: 'string', pattern: '^-?[0-9]+$' },
        }),
        minProperties: 1,
      },
      resource: {
        ...closed(
          {
            type: { $ref: '#/definitions/name' },
            id: { type: 'string' },
            attributes: {
              type: 'object',
              // The contract uses field names unchanged.
              propertyNames: strict
                ? { allOf: [{ $ref: '#/definitions/name' }, { not: { enum: ['id', 'type'] } }] }
                : { not: { const: 'id' } },
            },
            relationships: {
              type: 'object',
              propertyNames: { allOf: [{ $ref: '#/definitions/name' }, { not: { enum: ['id', 'type'] } }] },
              additionalProperties: { $ref: '#/definitions/relationship' },
            },
            links: closed({ self: { type: 'string', format: 'uri-reference' } }, ['self']),
            meta: { $ref: '#/definitions/itemMeta' },
          },
          ['type', 'id'],
        ),
        anyOf: [{ required: ['attributes'] }, { required: ['relationships'] }, { required: ['links'] }],
      },
      relationship: {
        ...closed({
          data: {
            oneOf: [
              { type: 'null' },
              { $ref: '#/definitions/identifier' },
              { type: 'array', items: { $ref: '#/definitions/identifier' } },
            ],
          },
          links: {
            ...closed({
              self: { type: 'string', format: 'uri-reference' },
              related: { type: 'string', format: 'uri-reference' },
              next: { type: ['string', 'null'], format: 'uri-reference' },
            }),
            minProperties: 1,
          },
          // For a counted list, and for an included list that is cut off.
          meta: {
            ...closed({ total: { type: 'integer', minimum: 0 }, hasMore: { type: 'boolean' } }),
            minProperties: 1,
          },
        }),
        minProperties: 1,
      },
      documentLinks: closed(
        {
          self: { type: 'string', format: 'uri-reference' },
          first: { type: ['string', 'null'], format: 'uri-reference' },
          last: { type: ['string', 'null'], format: 'uri-reference' },
          prev: { type: ['string', 'null'], format: 'uri-reference' },
          next: { type: ['string', 'null'], format: 'uri-reference' },
        },
        ['self'],
      ),
      // "Member Names": begins and ends with a letter or a digit.
      name: {
        type: 'string',
        pattern: '^[A-Za-z0-9\\u0080-\\uffff]([A-Za-z0-9\\u0080-\\uffff_ -]*[A-Za-z0-9\\u0080-\\uffff])?$',
      },
    },
  }
}

/** Returns the schema of `meta.serialization`, whose paths match a pattern. */
function serializationOf(pattern: string): object {
  return closed(
    {
      values: {
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern },
        additionalProperties: {
          enum: [['Date'], ['bigint'], [['custom', 'Decimal']], [['custom', 'Bytes']]],
        },
      },
      v: { const: 1 },
    },
    ['values'],
  )
}

function closed(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false }
}
