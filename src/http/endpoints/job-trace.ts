import { jobTrace } from '../../features/job-trace.ts'
import { defineEndpoint, envelope, jobId, ok } from '../endpoint.ts'

export const getJobTrace = defineEndpoint({
  method: 'GET',
  path: '/v2/jobs/{id}/trace',
  summary: 'Read what happened on the way of a job: plan, attempts, waits, sizes, warnings, deliveries',
  tag: 'Jobs',
  params: jobId,
  response: envelope({ data: jobTrace }),
  errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND'],
  async handle({ app, team, params }) {
    return ok({ data: await app.jobTrace(team, params.id) })
  },
})
