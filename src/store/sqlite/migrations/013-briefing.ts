/** Tools by which agents keep lists of what is to be done, ask a person, and have plans approved. */
export const TOOLS_OF_NOTE = `
  'TodoWrite', 'todowrite', 'todo_write', 'write_todos', 'update_todo_list', 'SetTodoList', 'update_plan', 'todos',
  'TaskCreate', 'TaskUpdate', 'TaskList', 'sql',
  'AskUserQuestion', 'ask_user', 'ask_followup_question', 'ask_question', 'request_user_input', 'question',
  'ExitPlanMode', 'exit_plan_mode', 'plan_exit'`;

/** Applied to stores in the field: never edited, only followed by further migrations. */
export const briefing = `
CREATE INDEX observations_of_choices ON observations (session_id, at) WHERE type IN ('decision', 'preference');
CREATE INDEX messages_of_note ON messages (session_id, seq) WHERE tool IN (${TOOLS_OF_NOTE});
`;
