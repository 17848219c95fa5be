import type { Api as Annotations } from '../../../fixtures/annotations/expected/client.js'
import { graph as annotationsGraph } from '../../../fixtures/annotations/expected/graph.js'
import type { Api as Blog } from '../../../fixtures/blog/expected/client.js'
import { graph as blogGraph } from '../../../fixtures/blog/expected/graph.js'
import type { Api as KitchenSink } from '../../../fixtures/kitchen-sink/expected/client.js'
import { graph as kitchenSinkGraph } from '../../../fixtures/kitchen-sink/expected/graph.js'
import type { Api as Tenants } from '../../../fixtures/tenants/expected/client.js'
import { graph as tenantsGraph } from '../../../fixtures/tenants/expected/graph.js'
import type { Api as Versions } from '../../../fixtures/versions/expected/client.js'
import { graph as versionsGraph } from '../../../fixtures/versions/expected/graph.js'
import { createRestClient, type Fetch } from '../../../client/index.js'

export type { Annotations, Blog, KitchenSink, Tenants }

/** A `fetch` that throws: for type tests, and for calls that are rejected before a request. */
const nowhere: Fetch = () => {
  throw new Error('Nothing should have been sent.')
}

/** The URL of the tests' handlers. */
export const URL = 'http://localhost/api'

/** Creates a client of the blog. */
export const blogClient = (fetch: Fetch = nowhere) => createRestClient<Blog>({ url: URL, graph: blogGraph, fetch })

/** Creates a client of the schema with every kind of field. */
export const kitchenSinkClient = (fetch: Fetch = nowhere) =>
  createRestClient<KitchenSink>({ url: URL, graph: kitchenSinkGraph, fetch })

/** Creates a client of the schema with tenants. */
export const tenantsClient = (fetch: Fetch = nowhere) =>
  createRestClient<Tenants>({ url: URL, graph: tenantsGraph, fetch })

/** Creates a client of the schema with every annotation. */
export const annotationsClient = (fetch: Fetch = nowhere) =>
  createRestClient<Annotations>({ url: URL, graph: annotationsGraph, fetch })

/** Creates a client of the schema with versions. */
export const versionsClient = (fetch: Fetch = nowhere) =>
  createRestClient<Versions>({ url: URL, graph: versionsGraph, fetch })

export { blogGraph }
