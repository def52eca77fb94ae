// Portcullis for OpenCode. Written by `portcullis install opencode`; `portcullis uninstall opencode` removes it.
// Asks `portcullis hook opencode` before every tool call. Only exit code 0 with {"decision":"allow"} lets the call
// pass; a missing program, a crash, silence, nonsense or no answer in time throws, and OpenCode refuses the call.
import { spawn } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const SECONDS_FOR_A_CALL = 600
const SECONDS_FOR_A_NOTE = 60
const MOST_OUTPUT = 1 << 20

function run(message, seconds) {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, ["hook", "opencode"], { stdio: ["pipe", "pipe", "pipe"] })
    const output = { stdout: "", stderr: "" }
    const give_up = (why) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      reject(new Error(why))
    }
    const timer = setTimeout(() => give_up(`no answer within ${seconds} seconds`), seconds * 1000)
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8")
      child[name].on("data", (text) => {
        output[name] += text
        if (output[name].length > MOST_OUTPUT) give_up("the answer is too long")
      })
    }
    child.on("error", (error) => give_up(`it cannot be started: ${error.message}`))
    // A gate that answers without reading to the end is judged by its answer.
    child.stdin.on("error", () => {})
    child.on("close", (code) => {
      clearTimeout(timer)
      resolve({ code, ...output })
    })
    child.stdin.end(JSON.stringify(message))
  })
}

function read(text) {
  const answer = JSON.parse(text)
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) throw new Error("the answer is no object")
  return answer
}

async function judge(message) {
  let answer
  try {
    const { code, stdout, stderr } = await run(message, SECONDS_FOR_A_CALL)
    if (code !== 0 && !stdout.trim()) throw new Error(stderr.trim() || `exit code ${code}`)
    answer = { ...read(stdout), code }
  } catch (error) {
    throw new Error(`Portcullis gave no ruling, so the call is denied: ${error.message}`)
  }
  if (answer.decision !== "allow" || answer.code !== 0) {
    throw new Error(answer.reason || "denied by Portcullis")
  }
  return answer.updated_input
}

async function tell(message) {
  // Nothing hangs on a note: what the gate does not know makes it stricter.
  await run(message, SECONDS_FOR_A_NOTE).catch(() => {})
}

export const Portcullis = async ({ directory, worktree }) => {
  // Outside of a repository OpenCode calls the whole file system the work tree, which nobody meant to trust.
  const project = worktree && worktree !== "/" ? worktree : directory
  // OpenCode writes server and tool in one name; only the list of servers shows where the one ends.
  let servers = []
  const parents = new Map()
  const about = (event, input) => ({
    hook_event_name: event,
    session_id: input.sessionID,
    parent_id: parents.get(input.sessionID),
    cwd: directory,
    project,
  })
  return {
    config: async (config) => {
      servers = Object.keys(config?.mcp ?? {})
    },
    event: async ({ event }) => {
      const session = event?.properties?.info
      if (event?.type === "session.created" && session?.parentID) parents.set(session.id, session.parentID)
    },
    "tool.execute.before": async (input, output) => {
      const call = { tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID, mcp_servers: servers }
      const updated = await judge({ ...about("tool.execute.before", input), ...call })
      if (updated === undefined || updated === null) return
      if (typeof updated !== "object" || Array.isArray(updated)) throw new Error("Portcullis gave no usable input")
      for (const name of Object.keys(output.args)) delete output.args[name]
      Object.assign(output.args, updated)
    },
    "tool.execute.after": async (input) => {
      await tell({ ...about("tool.execute.after", input), tool_name: input.tool, tool_use_id: input.callID })
    },
    "chat.message": async (input, output) => {
      const parts = (output.parts || []).filter((part) => part.type === "text" && !part.synthetic)
      const prompt = parts.map((part) => part.text).join("\n")
      await tell({ ...about("chat.message", input), prompt, agent: input.agent })
    },
  }
}
