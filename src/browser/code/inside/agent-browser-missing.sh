#!/bin/bash
echo 'agent-browser: not installed on this service. The operator installs it by starting once with a registry in reach, or names it by AGENT_BROWSER_PATH.' >&2
exit 127
