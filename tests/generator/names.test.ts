import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { modelNames } from '../../generator/emit/names.js'
import { folderName } from '../../generator/model/names.js'

describe('names of emitted code', () => {
  it.each([
    ['Post', 'post'],
    ['PostLike', 'post-like'],
    ['HTTPServer2', 'http-server2'],
    ['user_profile', 'user-profile'],
    ['User_', 'user'],
    ['A_1', 'a-1'],
    ['Aux', 'aux-model'],
    ['Com1', 'com1-model'],
  ])('%s: is emitted into the folder %s', (model, folder) => {
    expect(folderName(model)).toBe(folder)
  })

  it('derives identifiers that cannot be keywords or imports', () => {
    expect(modelNames('Class')).toEqual({
      resource: 'classResource',
      rest: 'classRest',
      rpc: 'classRpc',
      calls: 'classCalls',
    })
    expect(modelNames('user_profile').rest).toBe('userProfileRest')
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]\w{0,12}$/), (model) => {
        for (const name of Object.values(modelNames(model))) expect(name).toMatch(/^[a-z]\w*(Resource|Rest|Rpc|Calls)$/)
      }),
    )
  })
})
