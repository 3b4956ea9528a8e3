/** The help of `wirelab test`. */
export const help = `Usage: wirelab test [options] [FILE|FOLDER|PATTERN ...]

Plays lab files (**/*.lab.yaml when no file is named) in virtual time in this process, and checks what they expect.

  --seed S           instead of the file's seed
  --seeds N          each of the seeds 1 to N
  --sweep links=N,nodes=M
                     each failure of 1 to N links at once, and of 1 to M nodes
  --fail link:NAME, --fail node:NAME
                     with this link or node failed; repeatable
  --matrix           shows which PCs reach each other, without a failure and under each (of one link when --sweep is absent)
  --filter TEXT      only labs or expectations whose name contains TEXT
  --bail             ends at the first failure
  --jobs N           threads; the number of processors when absent
  --watch            plays a lab again when its file changes, until Ctrl-C
  --update           writes the digests that were found into the files
  --reporter NAME[=FILE]
                     pretty, junit, json, tap or github; repeatable
  --url URL          plays the labs on a service, such as http://127.0.0.1:3080/v2, instead of in this process;
                     credentials: WIRELAB_USER and WIRELAB_PASSWORD, or WIRELAB_TOKEN
  --captures FOLDER  for a pcapng of each failure, and files of nodes; .wirelab when absent

Failed links and nodes are down from the timeline's start on, when all nodes have booted.
Exit status: 0 passed, 1 failed, 2 could not find out (a bad file, a limit), 3 nothing to run.
`;
