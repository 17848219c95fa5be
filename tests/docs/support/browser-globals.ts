/** Globals of the client examples in the browser: names that the blocks of the docs use without declaring them. */
import { parse } from '@conform-to/dom'
import * as core from '@tanstack/query-core'
import * as reactQuery from '@tanstack/react-query'
import { createElement, type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { useForm } from 'react-hook-form'

import * as client from '@routewright/client'
import * as query from '@routewright/client/query'

import { graph } from '../../../fixtures/blog/expected/graph.js'
import { graph as versionsGraph } from '../../../fixtures/versions/expected/graph.js'

const queryClient = new reactQuery.QueryClient()
const clientsOf = (url: string, graphOfModels: typeof graph | typeof versionsGraph | undefined) => ({
  rest: client.createRestClient({ url: `${url}/rest`, ...(graphOfModels && { graph: graphOfModels }) }),
  api: client.createRpcClient({ url: `${url}/rpc` }),
})
const blog = clientsOf('/blog', graph)
const versions = clientsOf('/versions', versionsGraph)

let root: Root | undefined
/** Replaces the rendered page. */
function render(children: ReactNode): void {
  root?.unmount()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const page = createElement(reactQuery.QueryClientProvider, { client: queryClient }, children)
  flushSync(() => root?.render(page))
}

/** Returns the error of a failed call. */
const toError = (call: () => Promise<unknown>) =>
  call().then(
    () => undefined,
    (error: unknown) => error,
  )

/** The block calls `mutate` in the component, which would send a request in each rendering. */
const useMutation: typeof reactQuery.useMutation = (options) => {
  const mutation = reactQuery.useMutation(options)
  const { mutate } = mutation
  return Object.assign(mutation, {
    mutate: (...args: Parameters<typeof mutate>) => useEffect(() => mutate(...args), [mutate]),
  })
}

Object.assign(globalThis, client, query, core, blog, {
  args: { select: { id: true, title: true } },
  emailError: undefined,
  form: { email: 'nonsense', password: 'short' },
  graph,
  parse,
  publishedAt: new Date('2026-01-02T03:04:05.678Z'),
  queries: query.createRpcQueries(blog.api, { graph }),
  queryClient,
  react: { ...reactQuery, useMutation },
  readme: clientsOf('/api', undefined),
  render,
  toError,
  useForm,
  useMutation: reactQuery.useMutation,
  useQuery: reactQuery.useQuery,
  useState,
  versions: { ...versions, queries: query.createRestQueries(versions.rest, { graph: versionsGraph }) },
})
