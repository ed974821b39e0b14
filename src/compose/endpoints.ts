import type { Endpoint } from '../http/endpoint.ts'
import * as endpointList from '../http/endpoints/all.ts'
import * as v1List from '../v1/all.ts'

/** In a fixed order: the API description must not depend on the load order of the list. */
const inOrder = (list: Record<string, Endpoint>) =>
  Object.values(list).sort((left, right) =>
    `${left.path} ${left.method}`.localeCompare(`${right.path} ${right.method}`),
  )

export const endpoints = inOrder(endpointList)

/** Those of the first version, for older clients. They have a description of their own, so that nothing is listed twice. */
export const v1Endpoints = inOrder(v1List)
