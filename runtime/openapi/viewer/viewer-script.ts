/**
 * The script of the page. A document with many tags is displayed one tag at a time, because Swagger UI parses the whole document before it
 * renders anything, which takes half a minute for a hundred models.
 */
export const SCRIPT = `const MANY_TAGS = 20

/** So many components one tag is shown with. Those that are further away from its operations are named only. */
const MOST_COMPONENTS = 200

function tagsOf(operation) {
  return operation.tags?.length ? operation.tags : ['default']
}

function operationsOf(item) {
  return Object.entries(item).filter(([, operation]) => operation?.responses)
}

/** All tags, those first that the document describes. */
function allTags(whole) {
  const tags = new Map((whole.tags ?? []).map((tag) => [tag.name, tag]))
  for (const item of Object.values(whole.paths ?? {}))
    for (const [, operation] of operationsOf(item))
      for (const name of tagsOf(operation)) if (!tags.has(name)) tags.set(name, { name })
  return [...tags.values()]
}

/** The operations of one tag, and what they refer to. */
function sliceOf(whole, tag) {
  const paths = {}
  for (const [path, item] of Object.entries(whole.paths ?? {})) {
    const others = operationsOf(item).filter(([, operation]) => !tagsOf(operation).includes(tag.name))
    const kept = { ...item }
    for (const [method] of others) delete kept[method]
    if (operationsOf(kept).length > 0) paths[path] = kept
  }
  const components = {}
  if (whole.components?.securitySchemes) components.securitySchemes = whole.components.securitySchemes
  let count = 0
  let near = [paths]
  while (near.length > 0) {
    const next = []
    for (const value of near) {
      const [, kind, name] = /^#\\/components\\/([^/]+)\\/([^/]+)$/.exec(value.$ref ?? '') ?? []
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
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function linkTo(tag) {
  return element('a', { href: '?tag=' + encodeURIComponent(tag.name), textContent: tag.name })
}

/** A list of links, each to the page of one tag. */
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

async function show() {
  const viewer = document.getElementById('viewer')
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error('The request for openapi.json returned ' + response.status + '.')
  const whole = await response.json()
  const tags = allTags(whole)
  const isLarge = tags.length > MANY_TAGS
  const wanted = new URLSearchParams(location.search).get('tag')
  const chosen = tags.find(({ name }) => name === wanted)
  if (isLarge) {
    document.body.classList.add('large')
    document.body.prepend(tagList(tags, chosen))
  }
  if (isLarge && !chosen) {
    viewer.append(
      element('h1', { textContent: whole.info.title + ' ' + whole.info.version }),
      element('p', { textContent: whole.info.description ?? '' }),
      element('dl', {}, ...tags.flatMap((tag) => [element('dt', {}, linkTo(tag)), element('dd', { textContent: tag.description ?? '' })])),
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
  })
}

show().catch((error) => {
  document.getElementById('viewer').textContent = 'The document could not be displayed. ' + error.message
})
`

/** The style of the list of tags, in addition to Swagger UI's. */
export const STYLE = `body { margin: 0; }
body.large { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; box-sizing: border-box; padding: 1rem; background: #fafafa; border-right: 1px solid #ddd; font: 0.9rem/1.6 sans-serif; }
nav input { width: 100%; box-sizing: border-box; padding: 0.3rem 0.5rem; }
nav ul { list-style: none; padding: 0; }
nav a { color: #3b4151; text-decoration: none; }
nav a:hover, nav a[aria-current] { text-decoration: underline; }
nav a[aria-current] { font-weight: bold; }
.large #viewer > :is(h1, p, dl) { margin: 2rem; font-family: sans-serif; color: #3b4151; }
.large dt { margin-top: 0.75rem; font-weight: bold; }
.large dd { margin: 0; }
@media (max-width: 45rem) {
  body.large { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid #ddd; }
}
`
