/** Questions and requests as people put them to an agent, made of what a passage is about and what it says first. */
export function questionsOf({ title, first, language }, random) {
  const questions = [];
  const topic = topicOf(title);
  const deed = deedOf(first);
  const pick = (list) => list[Math.floor(random() * list.length)];
  if (topic !== "" && random() < 0.3) questions.push(pick(ABOUT_TOPIC)(topic));
  if (deed !== "" && random() < 0.5) questions.push(pick(language === "python" ? FOR_PYTHON : TO_DO)(deed));
  if (FAULT.test(first) && random() < 0.3) questions.push(pick(OF_FAULTS)(lowerFirst(bare(first))));
  return questions;
}

const ABOUT_TOPIC = [
  (topic) => `what is ${topic}?`,
  (topic) => `How does ${topic} work?`,
  (topic) => `how do I use ${topic}`,
  (topic) => `What did we decide about ${topic}?`,
  (topic) => `Why did we change ${topic}?`,
  (topic) => `${topic} does not work`,
  (topic) => `Where is ${topic} set up?`,
  (topic) => `I'm having trouble with ${topic}, can you help me?`,
  (topic) => `When did I last work on ${topic}?`,
  (topic) => `What are the best practices for ${topic}?`,
  (topic) => `Can you explain ${topic} with an example?`,
  (topic) => `We had a problem with ${topic} last week, how was it solved?`,
  (topic) => `fix ${topic}`,
  (topic) => `Remember that I prefer ${topic}.`,
  (topic) => `What should I know about ${topic}?`,
  (topic) => topic,
];

const TO_DO = [
  (deed) => `how to ${deed}`,
  (deed) => `How do I ${deed}?`,
  (deed) => `Can you help me ${deed}?`,
  (deed) => `I want to ${deed}. What is the best way?`,
  (deed) => `I'm trying to ${deed}, but it does not work.`,
  (deed) => `Is there a function to ${deed}?`,
  (deed) => `What is the command to ${deed}?`,
  (deed) => `Please ${deed}.`,
  (deed) => `Which option do we use to ${deed}?`,
  (deed) => `How did we ${deed}?`,
  (deed) => deed,
];

const FOR_PYTHON = [
  (deed) => `python ${deed}`,
  (deed) => `python how to ${deed}`,
  (deed) => `how to ${deed} in python`,
  (deed) => `${deed} python`,
  (deed) => `python code to ${deed}`,
  (deed) => `python function to ${deed}`,
  ...TO_DO,
];

const FAULT = /\b(?:error|fail|throw|exception|invalid|wrong|missing|not supported|deprecated|timeout|crash)/i;

const OF_FAULTS = [
  (said) => `Why do I get this: ${said}?`,
  (said) => `Error: ${said}`,
  (said) => `What does it mean that ${said}?`,
  (said) => `how do I fix "${said}"`,
  (said) => `The build failed: ${said}`,
];

function topicOf(title) {
  const topic = bare(title);
  return topic.length < 3 || topic.length > 70 ? "" : topic;
}

/** What is done by what a sentence describes, such as `return the first element` for `Returns the first element.` */
function deedOf(first) {
  const said = bare(first);
  if (said.length < 15 || said.length > 110) return "";
  const [verb, ...rest] = said.split(" ");
  if (rest.length < 2) return "";
  if (/^[A-Z][a-z]+s$/.test(verb) && !/ss$/.test(verb) && !NO_VERBS.has(verb))
    return [baseOf(verb.toLowerCase()), ...rest].join(" ");
  return IMPERATIVE.has(verb) ? lowerFirst(said) : "";
}

const NO_VERBS = new Set([
  "This",
  "Its",
  "Is",
  "Was",
  "Has",
  "Does",
  "As",
  "Options",
  "Arguments",
  "Values",
  "Parameters",
  "Always",
  "Tests",
  "Classes",
  "Types",
]);
const IMPERATIVE = new Set(
  "Add Append Apply Attach Build Calculate Call Cancel Change Check Clean Clear Close Collect Combine Compare Compile Compute Configure Connect Convert Copy Count Create Decode Define Delete Describe Determine Disable Display Download Draw Enable Encode Ensure Escape Estimate Evaluate Execute Extract Fetch Fill Filter Find Fit Force Format Generate Get Give Group Handle Import Initialize Insert Inspect Install Invoke Iterate Join List Load Log Look Make Map Mark Match Merge Modify Move Normalize Open Parse Perform Plot Predict Print Process Query Raise Read Register Remove Rename Render Replace Request Require Reset Resolve Restart Retrieve Return Rotate Round Run Sample Save Scale Search Select Send Set Show Skip Solve Sort Split Start Stop Store Strip Sum Test Transform Turn Update Upload Use Validate Verify Wait Wrap Write Yield".split(
    " ",
  ),
);

function baseOf(verb) {
  if (/ies$/.test(verb)) return `${verb.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes|zzes)$/.test(verb)) return verb.slice(0, -2);
  return verb.slice(0, -1);
}

function bare(text) {
  return text.replace(/[.:!?\s]+$/, "").trim();
}

function lowerFirst(text) {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
