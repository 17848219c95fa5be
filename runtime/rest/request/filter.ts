import type { Dialect } from '../../orm/dialect.js'
import { RequestError } from '../../errors/request-error.js'
import { isCalledAsCombinator } from '../../schema/words.js'
import type { Limits } from '../../limits.js'
import { beyondLimit } from './beyond-limit.js'
import {
  type Comparison,
  fieldPart,
  idPart,
  type Part,
  relationshipPart,
  unsupportedOperator,
  type Where,
} from './filter-conditions.js'
import type { Relationship, RestModel } from '../model.js'
import { isOperator } from './operators.js'
import { requireRead } from '../permissions.js'
import { malformed, ofFamily, type Parameter, type Query } from './query.js'

/** What `filter` asks for, once the database is known. Throws RequestError 400 where it lacks an operator. */
export type Filter = (dialect: Dialect) => Where

/**
 * Reads `filter[…]` (contract 4.2). A typo is refused and never ignored, because what it leaves out would answer more rows.
 * @returns undefined where there is no filter
 * @throws RequestError 400 for a name, an operator or a shape that does not fit; 403 for what may not be read; 422 for a value
 *   of the wrong type
 */
export function readFilter(query: Query, model: RestModel, limits: Limits): Filter | undefined {
  const parameters = ofFamily(query, 'filter')
  if (parameters.length === 0) return undefined
  if (parameters.length > limits.listLength)
    throw beyondLimit('listLength', `At most ${limits.listLength} filters.`, parameters[0]?.name)
  const lists = new Map<string, Parameter & { values: string[] }>()
  const conditions: { parameter: Parameter; part: Part }[] = []
  requireFewRelations(parameters, model, limits)
  for (const parameter of parameters) {
    // `filter[id][]=1&filter[id][]=2` is one list.
    if (parameter.path.length > 1 && parameter.path.at(-1) === '') {
      const list = lists.get(parameter.name)
      if (list) list.values.push(parameter.value)
      else lists.set(parameter.name, { ...parameter, path: parameter.path.slice(0, -1), values: [parameter.value] })
    } else {
      conditions.push({ parameter, part: readPart(parameter, splitValues(parameter.value), model, limits) })
    }
  }
  for (const list of lists.values())
    conditions.push({ parameter: list, part: readPart(list, list.values, model, limits) })
  return (dialect) => {
    const wheres = conditions.map(({ parameter, part }) => {
      const where = part(dialect)
      if (!where) throw unsupportedOperator(parameter, 'The database has no such operator.')
      return where
    })
    const [first] = wheres
    return wheres.length === 1 && first ? first : { AND: wheres }
  }
}

/** Refuses filters that reach into relations more often than a database can plan a query for. */
function requireFewRelations(parameters: readonly Parameter[], from: RestModel, limits: Limits): void {
  let count = 0
  for (const parameter of parameters) {
    let model: RestModel | undefined = from
    let many = 0
    for (const selector of parameter.path) {
      const relationship: Relationship | undefined = model?.relationships.get(selector.split('$', 1)[0] ?? '')
      if (!relationship) break
      model = relationship.target
      if (relationship.relation.many && ++many > limits.manyDepth) {
        throw beyondLimit(
          'manyDepth',
          `A filter can reach through at most ${limits.manyDepth} to-many relationships.`,
          parameter.name,
        )
      }
      if (++count > limits.relations) {
        throw beyondLimit(
          'relations',
          `Filters can reach into relationships at most ${limits.relations} times.`,
          parameter.name,
        )
      }
    }
  }
}

/** Splits a value at its commas. `\,` is a comma and `\\` a backslash of the value itself. */
export function splitValues(text: string): string[] {
  if (!text.includes('\\')) return text.split(',')
  const values: string[] = []
  let value = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    if (char === '\\' && (next === ',' || next === '\\')) {
      value += next
      at++
    } else if (char === ',') {
      values.push(value)
      value = ''
    } else {
      value += char
    }
  }
  return [...values, value]
}

function readPart(parameter: Parameter, values: readonly string[], model: RestModel, limits: Limits): Part {
  if (parameter.path.includes('')) throw malformed(parameter, 'A filter names fields between its brackets.')
  if (parameter.path.length > limits.depth) {
    throw beyondLimit('depth', `Filters can have at most ${limits.depth} selectors.`, parameter.name)
  }
  if (values.length > limits.listLength)
    throw beyondLimit('listLength', `At most ${limits.listLength} values in a list.`, parameter.name)
  const [last = '', operator] = splitOperator(parameter)
  return readPath([...parameter.path.slice(0, -1), last], { parameter, values, operator, model })
}

interface Reading extends Comparison {
  /** The model that the rest of the path begins at. */
  readonly model: RestModel
}

function readPath(path: readonly string[], reading: Reading): Part {
  const { model } = reading
  const [name = '', ...below] = path
  if (name === 'id') return idPart(model.id, { ...reading, operator: operatorBelow(below, reading) })
  const attribute = model.attributes.get(name)
  if (attribute) {
    const by = operatorBelow(below, reading)
    if (isCalledAsCombinator(attribute.name)) {
      throw malformed(
        reading.parameter,
        `"${name}" cannot be filtered by: the database client takes its name for another.`,
      )
    }
    return fieldPart(attribute, { ...reading, operator: by })
  }
  const relationship = model.relationships.get(name)
  if (model.computed.has(name))
    throw unusable(reading.parameter, `Nothing can be filtered by "${name}", which is computed.`)
  if (!relationship) throw unusable(reading.parameter, `"${model.type}" has no field "${name}".`)
  const [next] = below
  if (next !== undefined && below.length === 1 && isOperator(next) && !isMember(relationship.target, next)) {
    return relationshipPart(relationship, { ...reading, operator: operatorBelow(below, reading) })
  }
  if (below.length > 0) {
    requireRead(relationship, reading.parameter.name)
    const inner = readPath(below, { ...reading, model: relationship.target })
    return (dialect) => {
      const where = inner(dialect)
      return where && { [name]: { [relationship.relation.many ? 'some' : 'is']: where } }
    }
  }
  return relationshipPart(relationship, reading)
}

function isMember(model: RestModel, name: string): boolean {
  return model.attributes.has(name) || model.relationships.has(name)
}

/** `filter[name][contains]`, which is a legal name in JSON:API, means the same as `filter[name$contains]`. */
function operatorBelow(below: readonly string[], { parameter, operator }: Reading): string | undefined {
  const [name] = below
  if (name === undefined) return operator
  if (below.length > 1 || operator !== undefined || !isOperator(name)) {
    throw malformed(parameter, `"${name}" is neither a field nor an operator here.`)
  }
  return name
}

function splitOperator(parameter: Parameter): [field: string, operator: string | undefined] {
  const last = parameter.path.at(-1) ?? ''
  const at = last.indexOf('$')
  return at < 0 ? [last, undefined] : [last.slice(0, at), last.slice(at + 1)]
}

function unusable(parameter: Parameter, detail: string): RequestError {
  return new RequestError({ code: 'unknown-field', detail, source: { parameter: parameter.name } })
}
