import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../endpoint.ts'
import { operationId } from '../openapi.ts'
import * as list from './all.ts'

const endpoints: Endpoint[] = Object.values(list)

describe.each(endpoints.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))(
  '$name',
  ({ endpoint }) => {
    it('has a unique route and a unique operation id', () => {
      const others = endpoints.filter((other) => other !== endpoint)
      const route = (of: Endpoint) => `${of.method} ${of.path}`
      expect(others.map(route)).not.toContain(route(endpoint))
      expect(others.map(operationId)).not.toContain(operationId(endpoint))
    })

    it('has a /v2 path and a summary without a period', () => {
      expect(endpoint.path).toMatch(/^\/v2\/[a-z/{}-]+$/)
      expect(endpoint.summary).toMatch(/^[A-Z].*[^.]$/)
    })

    it('declares every parameter of its path', () => {
      const pathParameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(pathParameters.length > 0).toBe(endpoint.params !== undefined)
    })

    it('lists no code twice', () => {
      const { errors = [] } = endpoint
      expect(new Set(errors).size).toBe(errors.length)
    })
  },
)
