import { Ajv, type ValidateFunction } from 'ajv'

import { documentSchema } from './document-schema.js'
import type { Body, ResourceObject } from './documents.js'

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  formats: { 'uri-reference': isUri },
})
const validators: Record<'strict' | 'contract', ValidateFunction> = {
  strict: ajv.compile(documentSchema(true)),
  contract: ajv.compile(documentSchema(false)),
}

/** The properties of a request that the rules for its document depend on. */
export interface CheckOptions {
  readonly strict: boolean
  /** Whether the request had `fields[…]`, the only exception to full linkage. */
  readonly sparse: boolean
}

/**
 * Checks a document of the server against JSON:API 1.1: its structure, full linkage, and that it contains no resource
 * twice.
 * @throws Error that names the violated rule
 */
export function checkDocument(document: Body, { strict, sparse }: CheckOptions): void {
  const validate = validators[strict ? 'strict' : 'contract']
  if (!validate(document)) {
    const errors = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
    throw new Error(`This is no document of JSON:API:\n${errors.join('\n')}\n${JSON.stringify(document, null, 2)}`)
  }
  if (document.data === undefined) return
  checkUnique(document)
  if (!sparse) checkLinkage(document)
}

/** "A compound document MUST NOT include more than one resource object for each type and id pair." */
function checkUnique(document: Body): void {
  const seen = new Set<string>()
  for (const resource of resourcesOf(document)) {
    if (seen.has(keyOf(resource))) throw new Error(`${keyOf(resource)} is in the document twice.`)
    seen.add(keyOf(resource))
  }
}

/** "Every included resource object MUST be identified via a chain of relationships originating in a document's primary data." */
function checkLinkage(document: Body): void {
  const included = new Map((document.included ?? []).map((resource) => [keyOf(resource), resource]))
  const reached = new Set<string>()
  const queue = [document.data].flat().filter((primary) => primary !== null && primary !== undefined)
  for (let resource = queue.pop(); resource; resource = queue.pop()) {
    for (const key of [keyOf(resource), ...linkageOf(resource)]) {
      const next = included.get(key)
      if (!next || reached.has(key)) continue
      reached.add(key)
      queue.push(next)
    }
  }
  for (const key of included.keys()) {
    if (!reached.has(key)) throw new Error(`${key} is included, but no relationship in the document leads to it.`)
  }
}

function linkageOf(resource: ResourceObject): string[] {
  return Object.values(resource.relationships ?? {}).flatMap(({ data }) =>
    data === undefined || data === null ? [] : [data].flat().map(keyOf),
  )
}

/** Returns resource objects without resource identifiers. */
function resourcesOf(document: Body): ResourceObject[] {
  return [document.data, document.included ?? []]
    .flat()
    .filter((resource) => resource !== null && resource !== undefined)
    .filter((resource) => resource.attributes ?? resource.relationships ?? resource.links)
}

function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return JSON.stringify([type, id])
}

function isUri(text: string): boolean {
  // Brackets and spaces must be encoded.
  return URL.canParse(text, 'http://localhost') && /^[\w\-.~!$&'()*+,;=:@/?%]*$/.test(text)
}
