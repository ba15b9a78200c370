"""A Slurm of its own on this machine, for tests: munged, slurmctld and two slurmd on the loopback interface.

It needs root, and Debian's slurm-wlm and munge (scripts/setup --slurm). It uses no systemd, no cgroups, no accounting, and no
file of an installed Slurm: keys, sockets, ports, states and logs lie in a folder of its own. Every daemon runs in the foreground
of a process that this module started, and ends by its process id.
"""
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ("munged", "slurmctld", "slurmd")

CONFIG = """\
ClusterName=gt200test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=15
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldLogFile={folder}/slurmctld.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,sched_min_interval=0,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
MinJobAge=300
KillWait=5
ReturnToService=2
JobRequeue=1
MaxArraySize={max_array}
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname={host} Port={node1} CPUs=2 RealMemory=8000
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname={host} Port={node2} CPUs=2 RealMemory=8000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def reason_to_skip():
    """Why there can be no cluster here; empty if there can."""
    if os.geteuid() != 0:
        return "it needs root, to start the daemons of Slurm"
    missing = [name for name in (*DAEMONS, "sbatch", "squeue", "scancel", "scontrol") if find(name) is None]
    return f"{', '.join(missing)} not installed (scripts/setup --slurm)" if missing else ""


def find(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_until(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"after {seconds} s: {what}")
        time.sleep(0.1)


class Cluster:
    """with Cluster(folder) as cluster: commands find it with the environment cluster.environment."""

    def __init__(self, folder, max_array=1001):
        self.folder = pathlib.Path(folder)
        self.max_array = max_array
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.processes = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        os.chmod(self.folder, 0o755)
        (self.folder / "state").mkdir(exist_ok=True)
        controller, node1, node2 = free_ports(3)
        (self.folder / "slurm.conf").write_text(CONFIG.format(
            folder=self.folder, host=socket.gethostname().split(".")[0], controller=controller, node1=node1, node2=node2,
            max_array=self.max_array))
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        os.chmod(key, 0o600)
        self.launch("munged", ["--foreground", "--force", f"--socket={self.folder}/munge.socket", f"--key-file={key}",
                               f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                               f"--seed-file={self.folder}/munged.seed"])
        wait_until("munged has no socket", (self.folder / "munge.socket").exists, 20)
        self.start_controller()
        for node in ("n1", "n2"):
            self.start_node(node)
        wait_until("the nodes are not idle", lambda: self.output("sinfo", "-h", "-o", "%D %t") == "2 idle", 60)

    def launch(self, name, arguments, key=None):
        log = open(self.folder / f"{key or name}.out", "ab")
        # A group of its own: Ctrl-C reaches the test, which then ends the daemons in order.
        self.processes[key or name] = subprocess.Popen([find(name), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                                       stdout=log, stderr=log, start_new_session=True)

    def start_controller(self):
        self.launch("slurmctld", ["-D", "-f", self.environment["SLURM_CONF"]])
        wait_until("slurmctld does not answer", lambda: self.call("scontrol", "ping").returncode == 0, 60)

    def start_node(self, node):
        self.launch("slurmd", ["-D", "-N", node, "-f", self.environment["SLURM_CONF"]], node)

    def end(self, key, how=signal.SIGTERM):
        """Ends a daemon: munged, slurmctld, n1, n2."""
        process = self.processes.pop(key)
        process.send_signal(how)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def stop(self):
        if "slurmctld" in self.processes:
            self.call("scancel", "--me")
            end = time.monotonic() + 15
            while self.call("squeue", "-h").stdout.strip() and time.monotonic() < end:
                time.sleep(0.2)
        for key in [k for k in ("n1", "n2", "slurmctld", "munged") if k in self.processes]:
            self.end(key)
        # What a test left behind when it failed: steps of a killed slurmd, their tasks, and commands that wait.
        for pid in self.processes_left():
            os.kill(pid, signal.SIGKILL)

    def processes_left(self, name=None):
        """Process ids with the environment of this cluster: steps, tasks, commands."""
        found = []
        mark = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if name is not None and (process / "comm").read_text().strip() != name:
                    continue
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    found.append(int(process.name))
            except OSError:
                pass
        return found

    def steps(self):
        """Process ids of the slurmstepd of this cluster."""
        return self.processes_left("slurmstepd")

    def call(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True)

    def output(self, *words):
        return self.call(*words).stdout.strip()
