import type { Page } from 'playwright-core'

import { type Block, BLOCKS } from './pages.js'

/** How a client example of the docs runs in a browser. */
export interface ClientExample {
  /** Text that only this block of the page contains. */
  readonly text: string
  /** Statements that use the example, with its names in scope. They return the result. */
  readonly use: string
  /** Whether the block is the body of a React component. `use` then returns its content. */
  readonly isComponent?: true
  /** The result without values that JSON lacks. Default: not compared. */
  readonly result?: unknown
  /** The statuses of failed requests that the example expects, in order. */
  readonly errors?: readonly number[]
  /** Acts on the rendered page like a user. */
  readonly act?: (page: Page) => Promise<void>
}

/** The subscribers in the database before each example. */
export const SUBSCRIBERS = [
  { id: 1, email: 'ben@example.com', joinedAt: new Date('2025-03-01T00:00:00Z') },
  { id: 7, email: 'cat@example.com', joinedAt: new Date('2026-03-01T00:00:00Z') },
]

/** A rejected call, for the converters of errors. */
const TAKEN = "await toError(() => readme.rest.subscriber.create({ email: 'ben@example.com' }))"

/** Page → its client examples. The database is filled again before each of them. */
export const CLIENT_EXAMPLES: Readonly<Record<string, readonly ClientExample[]>> = {
  'README.md': [
    {
      text: 'createRestClient',
      use: 'return (await newest()).map(({ email }) => email)',
      result: ['cat@example.com', 'ben@example.com'],
    },
  ],
  'docs/computed-fields.md': [
    {
      text: 'createRpcClient',
      use: 'return greetings()',
      result: ['WITH US SINCE 2025', 'WITH US SINCE 2026', 'WITH US SINCE 2025', 'WITH US SINCE 2026'],
    },
  ],
  'docs/errors.md': [
    {
      text: 'rename.isError',
      use: "return [await rename(7, 'ann@example.com'), await rename(7, 'ann@example.com')]",
      result: ['renamed', 'unchanged'],
      errors: [409],
    },
  ],
  'docs/forms.md': [
    {
      text: 'export function Subscribe',
      use: 'render(<Subscribe />)',
      errors: [409],
      async act(page) {
        const submit = async (email: string) => {
          await page.getByRole('textbox').fill(email)
          await page.getByRole('button', { name: 'Subscribe' }).click()
        }
        await submit('nonsense')
        await page.getByText('Invalid email address').waitFor()
        await submit('ben@example.com')
        await page.getByText('already').waitFor()
        const created = page.waitForResponse((response) => response.status() === 201)
        await submit('ann@example.com')
        await created
      },
    },
    {
      text: 'Promise<string[]>',
      use: "return [await subscribe('ann@example.com'), (await subscribe('ben@example.com')).length]",
      result: [[], 1],
      errors: [409],
    },
    {
      text: 'toFlatErrors',
      use: `const error = ${TAKEN}
        return [toFlatErrors(error).fields, toListErrors(error).fields].map(([field]) => field?.name)`,
      result: ['email', 'email'],
      errors: [409],
    },
    {
      text: 'saveAll',
      use: `const errors: string[] = []
        const forms = [0, 1].map((index) => ({ setError: (name: string) => void errors.push(index + ' ' + name) }))
        await saveAll(forms, [{ email: 'new@example.com' }, { email: 'nonsense' }])
        return errors`,
      result: ['1 email'],
      errors: [422],
    },
    {
      text: 'setGermanErrors',
      use: `const errors: string[] = []
        const error = ${TAKEN}
        setGermanErrors({ setError: (name, { message }) => void errors.push(name, message) }, error)
        return errors`,
      result: ['email', 'Schon vergeben.'],
      errors: [409],
    },
    {
      text: 'export function AddSubscriber',
      use: 'render(<AddSubscriber />)',
      async act(page) {
        const [email, joinedAt] = [page.locator('[name=email]'), page.locator('[name=joinedAt]')]
        const add = () => page.getByRole('button', { name: 'Add' }).click()
        await email.fill('ann@example.com')
        await add()
        await page.getByText('Must have a value.').waitFor()
        await joinedAt.fill('2026-05-31T09:30')
        const created = page.waitForResponse((response) => response.status() === 201)
        await add()
        await created
      },
    },
    {
      text: 'useAccountForm',
      use: `const account = queries.account.get.queryOptions(1)
        const Form = ({ latest }) => {
          const { form, save, fillAgain } = useAccountForm(latest)
          return (
            <form onSubmit={save}>
              <p>{latest.name} has {latest.balance}</p>
              <input {...form.register('name')} />
              {form.formState.errors.root?.server?.message}
              <button>Save</button>
              <button type="button" onClick={fillAgain}>Fill again</button>
            </form>
          )
        }
        const Page = () => {
          const { data } = useQuery(account)
          return data ? <Form latest={data} key={data.id} /> : null
        }
        await queryClient.fetchQuery(account)
        render(<Page />)
        await rest.account.update(1, { balance: 7 })
        await queryClient.refetchQueries(account)`,
      errors: [412, 412],
      async act(page) {
        const saveAs = async (name: string) => {
          const response = page.waitForResponse((one) => one.request().method() === 'PATCH')
          await page.getByRole('textbox').fill(name)
          await page.getByRole('button', { name: 'Save' }).click()
          await response
        }
        await page.getByText('one has 7').waitFor()
        await saveAs('mine')
        await page.getByText('Another user has changed this account.').waitFor()
        await saveAs('mine')
        await page.getByText('Another user has changed this account.').waitFor()
        await page.getByRole('button', { name: 'Fill again' }).click()
        await saveAs('mine')
        await page.getByText('mine has 7').waitFor()
      },
    },
    {
      text: 'useRenameForm',
      use: `let hook: ReturnType<typeof useRenameForm> | undefined
        const Rename = () => {
          hook = useRenameForm('7')
          return <input {...hook.form.register('email')} />
        }
        render(<Rename />)
        const submit = async (email: string) => {
          hook?.form.setValue('email', email)
          await hook?.save()
          return hook?.form.getFieldState('email').error?.message
        }
        return [await submit('nonsense'), await submit('cat@example.com')]`,
      result: ['Invalid email address', 'The subscriber already has this address.'],
      errors: [409],
    },
    {
      text: 'useSubscribeForm',
      use: `let form: ReturnType<typeof useSubscribeForm> | undefined
        const Subscribe = () => {
          form = useSubscribeForm()
          return <form.Field name="email">{() => null}</form.Field>
        }
        render(<Subscribe />)
        const fill = async (email: string) => {
          form?.setFieldValue('email', email)
          await form?.handleSubmit()
          return form?.getFieldMeta('email')?.errors.length
        }
        return [await fill('nonsense'), await fill('ben@example.com'), await fill('ann@example.com')]`,
      result: [1, 1, 0],
      errors: [409],
    },
    {
      text: 'useDatedForm',
      use: `let form: ReturnType<typeof useDatedForm> | undefined
        const Subscribe = () => {
          form = useDatedForm()
          return <><form.Field name="email">{() => null}</form.Field><form.Field name="joinedAt">{() => null}</form.Field></>
        }
        render(<Subscribe />)
        const fill = async (joinedAt: string) => {
          form?.setFieldValue('email', 'dan@example.com')
          form?.setFieldValue('joinedAt', joinedAt)
          await form?.handleSubmit()
          return form?.getFieldMeta('joinedAt')?.errors.length
        }
        return [await fill('yesterday'), await fill('2024-05-31')]`,
      result: [1, 0],
    },
    {
      text: 'toConformErrors',
      use: `const submit = (email: string) => {
          const values = new FormData()
          values.set('email', email)
          return subscribe(parse(values, { resolve: (value) => ({ value: value as { email: string } }) }))
        }
        return [(await submit('ben@example.com')).status, (await submit('ann@example.com')).initialValue]`,
      result: ['error', null],
      errors: [409],
    },
    {
      text: 'messagesFor',
      use: "return messagesFor({ email: 'nonsense' })",
      result: ['Invalid email address'],
    },
    {
      text: 'formSchema',
      use: "return formSchema.safeParse({ email: 'ann@example.com', accepted: true }).success",
      result: true,
    },
  ],
  'docs/idempotency.md': [
    {
      text: 'export const subscribe = (email: string) =>',
      use: "return (await subscribe('ann@example.com')).email",
      result: 'ann@example.com',
    },
    {
      text: 'formId',
      use: `const { email } = await subscribe('ann@example.com', crypto.randomUUID())
        await rest.subscriber.create({ email: 'dan@example.com' })
        const create = new MutationObserver(queryClient, queries.subscriber.create.mutationOptions())
        return [email, (await create.mutate({ data: { email: 'eve@example.com' } })).email]`,
      result: ['ann@example.com', 'eve@example.com'],
    },
  ],
  'docs/optimistic-concurrency.md': [
    { text: 'rest.account.update', use: 'return changed.balance', result: 5 },
    { text: 'new MutationObserver', use: 'return [changed.balance, stored.balance]', result: [5, 6] },
    {
      text: 'api.account.update',
      use: 'return (await api.account.findUniqueOrThrow({ where: { id: 1 } })).balance - balance',
      result: 5,
    },
  ],
  'docs/rest-client.md': [
    { text: 'export const rest =', use: 'return (await rest.subscriber.list()).total', result: 2 },
    { text: "fields: { user: ['name'] }", use: 'return posts.total', result: 2 },
    { text: '// any of them', use: 'return [some.total, dark.total]', result: [0, 1] },
    {
      text: '$field',
      use: 'return [wanted, edited].map((posts) => posts.map(({ slug }) => slug))',
      result: [
        ['one', 'two', 'four'],
        ['one', 'four'],
      ],
    },
    { text: 'fullText', use: 'return (await toError(foxes)).status', result: 400, errors: [400] },
    {
      text: '$relationships, $document',
      use: 'return [id, first, author, $type]',
      result: ['1', 'First!', '1', 'post'],
    },
    {
      text: 'typeof computed',
      use: 'return greetings()',
      result: ['With us since 2025', 'With us since 2026'],
    },
    {
      text: 'function byline',
      use: "return byline(await rest.post.get(1, { include: ['author'] }))",
      result: 'One, by Ann',
    },
    { text: 'relatedCount', use: 'return latest', result: ['Third, anonymous.', 'Second.'] },
    {
      text: 'first.next()',
      use: 'return [first.total, second.length, ids.length, deep.length]',
      result: [5, 2, 5, 2],
    },
    { text: 'saved.$created', use: 'return [saved.title, saved.$created]', result: ['Hello again', false] },
    {
      text: 'tags.replace',
      use: 'return [comments.length, (await tags.get()).total, page.length]',
      result: [3, 0, 3],
    },
    {
      text: '$operations',
      use: 'return [changed.title, tags.length, deleted, createdPost.author.id === createdUser.id]',
      result: ['Changed', 2, null, true],
    },
    { text: "subscriber.rename('7'", use: 'return subscriber.email', result: 'ann@example.com' },
    {
      text: 'rename.isError',
      use: "return [await rename('7', 'ann@example.com'), await rename('7', 'ann@example.com')]",
      result: ['renamed', 'unchanged'],
      errors: [409],
    },
    { text: 'RestError', use: 'return emailError', result: 'Invalid email address', errors: [422] },
  ],
  'docs/rpc-client.md': [
    { text: 'newest()', use: 'return newest()', result: 2026 },
    { text: 'typeof computed', use: 'return greetings()', result: ['With us since 2025', 'With us since 2026'] },
    {
      text: 'AbortSignal',
      use: `const found = await search('cat', new AbortController().signal)
        return [found.length, (await toError(() => search('cat', AbortSignal.abort()))).name]`,
      result: [1, 'AbortError'],
    },
    { text: 'Prisma.Decimal', use: 'return (await api.subscriber.findMany()).length', result: 2 },
    {
      text: 'You are already subscribed.',
      use: "return Promise.all(['ann@example.com', 'ben@example.com', 'nonsense'].map(subscribe))",
      result: ['Welcome!', 'You are already subscribed.', 'Invalid email address'],
      errors: [409, 422],
    },
    { text: 'withRpcRoutes', use: 'return subscriber.email', result: 'ann@example.com' },
  ],
  'docs/tanstack-query.md': [
    {
      text: 'export const queries = createRpcQueries(api, { graph })',
      use: 'return queries.post.queryKey()',
      result: ['rpc', 'post'],
    },
    {
      text: 'react.useQuery(list)',
      isComponent: true,
      use: 'return <p>{data?.length} posts, first: {update.data?.title}</p>',
      async act(page) {
        await page.getByText('5 posts, first: a').waitFor()
      },
    },
    {
      text: 'export const App',
      use: 'render(<App />)',
      async act(page) {
        await page.getByText('cat@example.com').waitFor()
      },
    },
    { text: 'prefetchQuery', use: 'return posts.length', result: 2 },
    {
      text: "orderBy: { id: 'desc' }, take: 20",
      use: 'return (await queryClient.fetchInfiniteQuery(pages)).pages[0].length',
      result: 5,
    },
    {
      text: 'const archive',
      use: "return new MutationObserver(queryClient, archive).mutate({ where: { id: 1 }, data: { status: 'ARCHIVED' } })",
      result: { id: 1, status: 'ARCHIVED' },
    },
    { text: 'relatedModels', use: 'return post.title', result: 'New' },
    {
      text: 'const assign',
      use: `await queryClient.fetchQuery(queries.post.findUnique.queryOptions({ where: { id: 1 } }))
        return (await new MutationObserver(queryClient, assign).mutate({ where: { id: 1 }, data: { authorId: 2 } })).authorId`,
      result: 2,
    },
    {
      text: 'const tagging',
      use: `for (const options of [list, post, comments]) await queryClient.fetchQuery(options)
        await queryClient.fetchInfiniteQuery(pages)
        await new MutationObserver(queryClient, tagging).mutate({ id: 1, members: ['tips'] })
        return (await new MutationObserver(queryClient, update).mutate({ id: 1, data: { title: 'New' } })).title`,
      result: 'New',
    },
    {
      text: 'rename.mutationOptions',
      use: `const mutate = () =>
          new MutationObserver(queryClient, rename).mutate({ id: 7, data: { email: 'ann@example.com' } })
        return [(await mutate()).email, isError(await toError(mutate))]`,
      result: ['ann@example.com', true],
      errors: [409],
    },
  ],
  'docs/transactions.md': [
    { text: '$transaction', use: 'return [post.title, count, hasTag]', result: ['Changed', 4, false] },
  ],
}

/** Client examples that do not run here: page, text of the block and reason. */
export const NOT_RUN: readonly (readonly [page: string, text: string, reason: string])[] = [
  ['docs/rpc-client.md', 'mistakes', 'contains calls that do not compile'],
  ['docs/rpc-client.md', 'createHonoHandler', 'runs in the process of the server'],
  [
    'docs/tutorial.md',
    "createRoot(document.getElementById('root')!)",
    'tutorial.test.ts opens this page in the browser',
  ],
  ['docs/tutorial.md', "from 'vitest'", 'is a test file, which tutorial.test.ts runs'],
]

/**
 * Returns all blocks with code that uses the typed clients, in reading order. The programs of other clients on
 * `docs/openapi-clients.md` run in the browser in `tests/openapi/clients.test.ts`.
 */
export function clientBlocks(): readonly Block[] {
  return BLOCKS.filter(
    ({ marker, text }) =>
      /from '@routewright\/client(\/query)?'|routes\/\w+\/input\.js'/.test(text) ||
      marker.startsWith('from: tests/client/'),
  )
}

/**
 * Returns the module of an example. Its default export runs the example. Blocks without imports and exports are statements in a
 * function, which use the globals of `browser-globals.ts`.
 */
export function moduleOf({ text, marker }: Block, { use, isComponent }: ClientExample): string {
  const code = text.replaceAll(/^\s*…$/gm, '')
  const usesVersions = /\/(versions\.test|account-form)\.ts$/.test(marker)
  const setup = usesVersions ? 'const { rest, api, queries } = versions' : ''
  if (/^(import|export) /m.test(code)) return `${setup}\n${code}\nexport default async () => {\n${use}\n}\n`
  const start = isComponent ? 'function Example() {' : 'export default async () => {'
  const end = isComponent ? '}\nexport default () => render(<Example />)\n' : '}\n'
  return `${setup}\n${start}\n${code}\n${use}\n${end}`
}
