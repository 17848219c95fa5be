import { describeContract } from './describe-contract.js'

const PAGE = 'includePage[comments]'
const FILTER = 'includeFilter[comments]'
const LIMITED = '/post?include=comments&includePage[comments][limit]=1'

describeContract('rejected included lists', ({ rule, rest }) => {
  /** Adds a rule for parameters that are rejected in a request that includes `comments` and `author`. */
  const rejects = (what: string, ...parameters: readonly string[]) => {
    rule('4.2, 7.1', `${what}: rejects the request with 400`)
    for (const parameter of parameters) {
      const source = { parameter: parameter.slice(0, parameter.indexOf('=')) }
      rest(`/post?include=comments,author&${parameter}`, 400, { errors: [{ source }] })
    }
  }
  rejects('list that is not included', 'includePage[tags][limit]=2', 'includeFilter[nope][seq]=1')
  rejects('list that is not included', 'includeFilter[comments.author][name]=1', 'includeFilter[__proto__][name]=1')
  rest('/post?includePage[comments][limit]=2', 400, {
    errors: [{ source: { parameter: 'includePage[comments][limit]' } }],
  })
  rejects('to-one relation', 'includePage[author][limit]=2', 'relatedCount=author')
  rejects('limit', `${PAGE}[limit]=0`, `${PAGE}[limit]=9999`, `${PAGE}[limit]=x`, `${PAGE}[limit]=1&${PAGE}[limit]=1`)
  rejects('other page', `${PAGE}[offset]=1`, `${PAGE}=1`)
  rejects('sort', 'includeSort[comments]=nope', 'includeSort=seq')
  rejects('filter', `${FILTER}[nope]=1`, `${FILTER}=nope(`, `${FILTER}[author][password]=1`, 'includeFilter=1')
  rejects('unknown parameter', 'includeOther[comments]=1', 'relatedCount[comments]=1')
  rejects('count', 'relatedCount=nope', 'relatedCount=')

  rule('8', 'rejects more limited lists than limits.includedLists with 400', {
    options: { limits: { includedLists: 4 } },
  })
  rest(LIMITED, 400, /limits\.includedLists/)
  rest(`${LIMITED}&page[limit]=4`, 200)
})
