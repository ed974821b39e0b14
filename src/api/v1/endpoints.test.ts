import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../endpoint.ts'
import * as v2List from '../endpoints/all.ts'
import { operationId } from '../openapi.ts'
import { v1Endpoints as endpoints } from './endpoints.ts'

const route = ({ method, path }: Endpoint) => `${method} ${path}`

describe.each(endpoints.map((endpoint) => ({ name: route(endpoint), endpoint })))('$name', ({ endpoint }) => {
  it('has a unique route under /v1 and a unique operation id', () => {
    const others = [...endpoints, ...Object.values(v2List)].filter((other) => other !== endpoint)
    expect(others.map(route)).not.toContain(route(endpoint))
    expect(others.map(operationId)).not.toContain(operationId(endpoint))
    expect(endpoint.path).toMatch(/^\/v1\/[a-z/{}-]+$/)
  })

  it('is deprecated, declares path parameters and lists each error code once', () => {
    expect(endpoint.isDeprecated).toBe(true)
    expect(endpoint.path.includes('{')).toBe(endpoint.params !== undefined)
    const { errors = [] } = endpoint
    expect(new Set(errors).size).toBe(errors.length)
  })
})
