/**
 * The script of the page.
 *
 * A document with many tags is displayed one tag at a time, because Swagger UI parses the whole document before it renders anything, which
 * takes half a minute for a hundred models. The page of a tag contains at most MOST_COMPONENTS schemas. Schemas further away from its
 * operations are only named.
 *
 * `adapted` works around Swagger UI: it shows object parameters as one JSON text, so each of their properties becomes a parameter, such as
 * `filter[title]`, and it does not show shared parameters of a path. It also shows a file input for a string that contains JSON or base64,
 * does not list the values of enums in `anyOf`, and does not show the description of a parameter's schema.
 *
 * Parameters of a list that most requests do not need are in GROUPS, by the start of their names. They are hidden until the reader opens the
 * group. Groups with fewer than MIN_GROUP parameters are always open.
 */
const MANY_TAGS = 20

const MOST_COMPONENTS = 200

function tagsOf(operation) {
  return operation.tags?.length ? operation.tags : ['default']
}

function operationsOf(item) {
  return Object.entries(item).filter(([, operation]) => operation?.responses)
}

function allTags(whole) {
  const tags = new Map((whole.tags ?? []).map((tag) => [tag.name, tag]))
  for (const item of Object.values(whole.paths ?? {}))
    for (const [, operation] of operationsOf(item))
      for (const name of tagsOf(operation)) if (!tags.has(name)) tags.set(name, { name })
  return [...tags.values()]
}

function sliceOf(whole, tag) {
  const paths = {}
  for (const [path, item] of Object.entries(whole.paths ?? {})) {
    const others = operationsOf(item).filter(([, operation]) => !tagsOf(operation).includes(tag.name))
    const ofTag = { ...item }
    for (const [method] of others) delete ofTag[method]
    if (operationsOf(ofTag).length > 0) paths[path] = ofTag
  }
  const components = {}
  if (whole.components?.securitySchemes) components.securitySchemes = whole.components.securitySchemes
  let count = 0
  let near = [paths]
  while (near.length > 0) {
    const next = []
    for (const value of near) {
      const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref ?? '') ?? []
      const meant = whole.components?.[kind]?.[name]
      if (meant && !components[kind]?.[name]) {
        const isFar = kind === 'schemas' && ++count > MOST_COMPONENTS
        components[kind] ??= {}
        components[kind][name] = isFar ? { title: name, description: 'See the page of its model.' } : meant
        if (!isFar) next.push(meant)
      }
      for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) next.push(member)
    }
    near = next
  }
  return { ...whole, tags: [tag], paths, components }
}

function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

function linkTo(tag) {
  return element('a', { href: '?tag=' + encodeURIComponent(tag.name), textContent: tag.name })
}

function tagList(tags, chosen) {
  const links = tags.map((tag) => {
    const link = linkTo(tag)
    if (tag === chosen) link.setAttribute('aria-current', 'page')
    return element('li', {}, link)
  })
  const search = element('input', { type: 'search', placeholder: 'Search', ariaLabel: 'Search the list' })
  search.addEventListener('input', () => {
    const wanted = search.value.toLowerCase()
    links.forEach((link, at) => (link.hidden = !tags[at].name.toLowerCase().includes(wanted)))
  })
  return element('nav', {}, search, element('ul', {}, ...links))
}

function flattened(parameter, targetOf) {
  const { schema, style, ...others } = targetOf(parameter, 'parameters')
  if (style !== 'deepObject') return [parameter]
  const name = others.name
  return (schema.anyOf ?? [schema]).flatMap((part) => {
    const { properties } = targetOf(part)
    if (!properties) return [{ ...others, schema: part }]
    return Object.entries(properties).map(([key, schema]) => ({ in: others.in, name: name + '[' + key + ']', schema }))
  })
}

function adapted(whole) {
  const targetOf = (reference, kind = 'schemas') => {
    const name = reference?.$ref?.split('/').at(-1)
    return (name ? whole.components?.[kind]?.[name] : reference) ?? {}
  }
  const rankOf = (parameter) => {
    const { in: place, name } = targetOf(parameter, 'parameters')
    return place === 'path' ? 0 : GROUPS.some(({ start }) => name.startsWith(start)) ? 2 : 1
  }
  const operations = Object.values(whole.paths ?? {}).flatMap((item) => {
    const shared = item.parameters ?? []
    delete item.parameters
    return operationsOf(item).map(([, operation]) => {
      const all = [...(operation.parameters ?? []), ...shared].flatMap((parameter) => flattened(parameter, targetOf))
      operation.parameters = all.sort((left, right) => rankOf(left) - rankOf(right))
      return operation
    })
  })
  const parameters = [
    ...Object.values(whole.components?.parameters ?? {}),
    ...operations.flatMap(({ parameters = [] }) => parameters),
  ]
  for (const parameter of parameters) {
    const { schema = {} } = parameter
    for (const text of [schema, targetOf(schema)]) {
      delete text.contentMediaType
      delete text.contentEncoding
    }
    const [example] = targetOf(schema.contentSchema).examples ?? []
    if (example) parameter.example = JSON.stringify(example)
    if (parameter.name === 'q') parameter.description ??= 'Arguments as JSON.'
    const values = (schema.items?.anyOf ?? []).flatMap((part) => targetOf(part).enum ?? [])
    if (values.length > 0) schema.items = { type: 'string', enum: values }
    const { description } = targetOf(schema)
    if (parameter.name === 'filter' && description)
      parameter.description += '\n\n<details><summary>Syntax</summary>\n\n' + description + '\n\n</details>'
  }
  return whole
}

const GROUPS = [
  { start: 'fields[', label: 'Fields of each type' },
  { start: 'filter[', label: 'Filters by field' },
]

const MIN_GROUP = 4

function groupParameters({ React }) {
  const Groups = React.createContext(undefined)
  const nameOf = (parameter) => String(parameter?.get?.('name') ?? '')
  return {
    wrapComponents: {
      parameters: (Original) => (props) => {
        const [open, setOpen] = React.useState([])
        const names = [...(props.parameters ?? [])].map(nameOf)
        const groups = GROUPS.map((group) => ({
          ...group,
          names: names.filter((name) => name.startsWith(group.start)),
        }))
        const value = { groups: groups.filter((group) => group.names.length >= MIN_GROUP), open, setOpen }
        return React.createElement(Groups.Provider, { value }, React.createElement(Original, props))
      },
      parameterRow: (Original) => (props) => {
        const { groups, open, setOpen } = React.useContext(Groups) ?? { groups: [], open: [] }
        const name = nameOf(props.rawParam)
        const group = groups.find(({ names }) => names.includes(name))
        const row = React.createElement(Original, props)
        if (!group) return row
        const { start, label, names } = group
        const isOpen = open.includes(start)
        const toggle = () => setOpen(isOpen ? open.filter((other) => other !== start) : [...open, start])
        const button = React.createElement(
          'button',
          { type: 'button', className: 'parameter-group', 'aria-expanded': isOpen, onClick: toggle },
          label + ' (' + names.length + ')',
        )
        return React.createElement(
          React.Fragment,
          {},
          names[0] === name && React.createElement('tr', {}, React.createElement('td', { colSpan: 2 }, button)),
          isOpen && row,
        )
      },
    },
  }
}

function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', apply)
  apply()
}

async function show() {
  const viewer = document.getElementById('viewer')
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error('The request for openapi.json returned ' + response.status + '.')
  const whole = adapted(await response.json())
  const tags = allTags(whole)
  const isLarge = tags.length > MANY_TAGS
  const wanted = new URLSearchParams(location.search).get('tag')
  const chosen = tags.find(({ name }) => name === wanted)
  if (isLarge) {
    document.body.classList.add('large')
    document.querySelector('main').prepend(tagList(tags, chosen))
  }
  if (isLarge && !chosen) {
    viewer.append(
      element('h1', { textContent: whole.info.title + ' ' + whole.info.version }),
      element('p', { textContent: whole.info.description ?? '' }),
      element(
        'dl',
        {},
        ...tags.flatMap((tag) => [
          element('dt', {}, linkTo(tag)),
          element('dd', { textContent: tag.description ?? '' }),
        ]),
      ),
    )
    return
  }
  SwaggerUIBundle({
    spec: isLarge ? sliceOf(whole, chosen) : whole,
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: isLarge ? 'list' : 'none',
    defaultModelsExpandDepth: -1,
    filter: !isLarge,
    validatorUrl: null,
    plugins: [groupParameters],
  })
}

followColorScheme()
show().catch((error) => {
  document.getElementById('viewer').textContent = 'The document could not be displayed. ' + error.message
})
